#include "io/run_attributes.h"
#include "support/command.h"
#include "support/json.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include <gtest/gtest.h>

namespace polhode::modes_command_test {
namespace {

TEST(ModesCommand, TellsEigenvaluesAndShapes) {
  const test::CommandResult result = test::polhode("modes simple-pendulum --json");
  ASSERT_EQ(result.exitCode, 0) << result.errors;
  const test::Json json = test::parseJson(result.output);
  EXPECT_EQ(json["status"].text(), "finished");
  ASSERT_EQ(json["eigenvalues"].items().size(), 2u);
  EXPECT_NEAR(json["eigenvalues"][0][1].number(), std::sqrt(9.81), 1e-11);
  EXPECT_NEAR(json["eigenvalues"][1][1].number(), -std::sqrt(9.81), 1e-11);
  EXPECT_EQ(json["eigenvalues"][0][0].number(), 0.0);
  EXPECT_NEAR(json["frequencies"][0].number(), std::sqrt(9.81) / (2.0 * std::numbers::pi), 1e-11);
  EXPECT_EQ(json["damping"][0].number(), 0.0);
  EXPECT_TRUE(json["stable"].boolean());
  EXPECT_EQ(json["rigid_body_modes"].number(), 0.0);
  EXPECT_EQ(json["modes"].items().size(), 1u);
  const std::string text = test::polhode("modes quarter-car").output;
  EXPECT_NE(text.find("where the model starts, which is an equilibrium"), std::string::npos) << text;
  EXPECT_NE(text.find("stable: every small motion dies out"), std::string::npos) << text;
}

TEST(ModesCommand, TellsOfASteadyMotionAndOfAnInstant) {
  const test::Json top = test::parseJson(test::polhode("modes heavy-top --json").output);
  EXPECT_EQ(top["about"].text(), "steady motion");
  EXPECT_NEAR(top["frame_angular_velocity"][2].number(), 10.0, 1e-3);
  EXPECT_EQ(top["zero_modes"].number(), 2.0);
  // Whittaker's formula for the nutation: A about the tip, m g l, precession 10 rad/s, 60 degrees
  const double mass = 0.70685834705770348, l = 0.075, A = 0.75e-3 * mass + mass * l * l, m = mass * 9.81 * l / A;
  const double nutation = std::sqrt(1e4 - m * 100.0 + m * m) / 10.0;
  EXPECT_NEAR(top["eigenvalues"][4][1].number(), nutation, 1e-4 * nutation);
  const test::Json swing = test::parseJson(test::polhode("modes simple-pendulum --at 0.2 --json").output);
  EXPECT_EQ(swing["about"].text(), "instant");
  EXPECT_EQ(swing["time"].number(), 0.2);
  const double height = swing["bodies"]["bob"]["position"][1].number();
  EXPECT_NEAR(swing["eigenvalues"][0][1].number(), std::sqrt(9.81 * -height), 1e-6);
  EXPECT_NE(test::polhode("modes simple-pendulum --at 0.2").output.find("frozen"), std::string::npos);
  EXPECT_EQ(test::polhode("modes simple-pendulum --at -1").exitCode, 2);
  EXPECT_EQ(test::polhode("modes simple-pendulum --at 1 --at-start").exitCode, 2);
}

TEST(ModesCommand, WritesShapesAsAMotionThatCanBeLookedAt) {
  const test::TemporaryFolder folder;
  const std::string text = test::polhode("modes simple-pendulum --out " + folder / "all.h5").output;
  EXPECT_NE(text.find("polhode live " + folder / "all.h5"), std::string::npos) << text;
  const RecordingFile file = readRecording(folder / "all.h5");
  ASSERT_EQ(file.recording.rows(), 120u);
  EXPECT_FALSE(modelOfRun(file.attributes, "all.h5")->model.bodies.empty());
  const std::vector<double> x = file.recording.column("bob.position.x"), y = file.recording.column("bob.position.y");
  for (std::size_t i = 0; i < x.size(); ++i) EXPECT_NEAR(std::hypot(x[i], y[i]), 1.0, 1e-9) << i;
  EXPECT_NEAR(*std::max_element(x.begin(), x.end()), 0.3, 0.02);
  EXPECT_NEAR(x[0], 0.0, 1e-9);

  ASSERT_EQ(test::polhode("modes quarter-car --mode 2 --out " + folder / "second.csv").exitCode, 0);
  EXPECT_EQ(readRecording(folder / "second.csv").recording.rows(), 120u);
  EXPECT_EQ(test::polhode("modes quarter-car --mode 7 --out " + folder / "none.h5").exitCode, 2);
  EXPECT_EQ(test::polhode("modes quarter-car --mode 1").exitCode, 2);
  EXPECT_EQ(test::polhode("modes quarter-car --out " + folder / "none.txt").exitCode, 2);
}

TEST(ModesCommand, WritesMatrices) {
  const test::TemporaryFolder folder;
  const std::string asked = " --input motor:motor --output joint.motor.angle --output pendulum.acceleration.x";
  ASSERT_EQ(test::polhode("modes furuta-pendulum --matrices " + folder / "m.json" + asked).exitCode, 0);
  const test::Json json = test::parseJson(test::readFile(folder / "m.json"));
  EXPECT_EQ(json["A"].items().size(), 4u);
  EXPECT_EQ(json["A"][0].items().size(), 4u);
  EXPECT_EQ(json["A"][0][2].number(), 1.0);
  EXPECT_EQ(json["B"][3].items().size(), 1u);
  EXPECT_EQ(json["C"].items().size(), 2u);
  EXPECT_EQ(json["C_rows"][1].text(), "pendulum.acceleration.x");
  EXPECT_NE(json["D"][1][0].number(), 0.0);
  ASSERT_EQ(test::polhode("modes furuta-pendulum --matrices " + folder / "m.csv" + asked).exitCode, 0);
  const std::string text = test::readFile(folder / "m.A.csv");
  EXPECT_TRUE(text.starts_with("# A\n# rows: s1,s2,s1',s2'\n# columns: s1,s2,s1',s2'\n0,0,1,0\n")) << text;
  EXPECT_EQ(test::polhode("modes furuta-pendulum --matrices " + folder / "m.txt" + asked).exitCode, 2);
  EXPECT_EQ(test::polhode("modes furuta-pendulum" + asked).exitCode, 2);
}

TEST(ModesCommand, RefusesAStartThatIsNoEquilibrium) {
  const test::CommandResult result = test::polhode("modes simple-pendulum --at-start");
  EXPECT_EQ(result.exitCode, 3);
  EXPECT_NE(result.errors.find("the start is no equilibrium"), std::string::npos) << result.errors;
  EXPECT_EQ(result.output, "");
}

}  // namespace
}  // namespace polhode::modes_command_test
