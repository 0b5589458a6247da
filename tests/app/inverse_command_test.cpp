#include "support/command.h"
#include "support/json.h"

#include <cmath>
#include <fstream>

#include <gtest/gtest.h>

namespace polhode::inverse_command_test {
namespace {

// A rod of 1 m and 1 kg on a hinge, lifted: m g l/2 cos a + m l^2/3 a''.
TEST(InverseCommand, TellsTheTorqueOfAPendulumAndTheRunFollows) {
  const test::TemporaryFolder folder;
  const std::string file = folder / "efforts.csv", motion =
                                                       "--follow 'joint.hinge1.angle=0.5*t^2' --follow "
                                                       "'joint.hinge2.angle=0*t' --end 1 --every 0.02";
  const test::CommandResult result =
      test::polhode("inverse planar-double-pendulum " + motion + " --json --out " + file);
  ASSERT_EQ(result.exitCode, 0) << result.errors;
  const test::Json json = test::parseJson(result.output);
  EXPECT_EQ(json["status"].text(), "finished");
  EXPECT_EQ(json["degrees_of_freedom"].number(), 2.0);
  const test::Json& motor = json["motors"]["joint.hinge1.angle"];
  ASSERT_EQ(motor["efforts"].items().size(), 51u);
  for (std::size_t i = 0; i <= 50; ++i) {
    const double t = 0.02 * static_cast<double>(i);
    EXPECT_NEAR(motor["efforts"][i].number(), 2.0 * 9.81 * std::cos(0.5 * t * t) + 8.0 / 3.0, 1e-11);
    EXPECT_NEAR(motor["speeds"][i].number(), t, 1e-12);
  }
  EXPECT_EQ(motor["unit"].text(), "N m");
  const test::CommandResult run = test::polhode("run planar-double-pendulum --motors " + file +
                                                " --integrator dop853 --tolerance 1e-10 --end 1 --json");
  ASSERT_EQ(run.exitCode, 0) << run.errors;
  EXPECT_NEAR(test::parseJson(run.output)["bodies"]["rod2"]["position"][0].number(), 1.5 * std::cos(0.5), 1e-7);
}

TEST(InverseCommand, TakesTablesAndTellsPeople) {
  const test::TemporaryFolder folder;
  std::ofstream table(folder / "swing.csv");
  table << "time,joint.hinge1.angle,joint.hinge2.angle\n";
  for (int i = 0; i <= 20; ++i) table << 0.05 * i << "," << 0.01 * i << ",0\n";
  table.close();
  const test::CommandResult result = test::polhode("inverse planar-double-pendulum --follow " + (folder / "swing.csv"));
  EXPECT_EQ(result.exitCode, 0) << result.errors;
  EXPECT_NE(result.output.find("21 times from t = 0 to 1, 2 degrees of freedom, 2 motors"), std::string::npos)
      << result.output;
  EXPECT_NE(result.output.find("joint.hinge1.angle       19.62 N m"), std::string::npos) << result.output;
}

TEST(InverseCommand, RefusesWhatCannotBe) {
  const auto refused = [](const std::string& arguments, const std::string& words) {
    const test::CommandResult result = test::polhode("inverse " + arguments);
    EXPECT_EQ(result.exitCode, 2) << arguments;
    EXPECT_NE(result.errors.find(words), std::string::npos) << result.errors;
  };
  refused("planar-double-pendulum", "has no motors");
  refused("planar-double-pendulum --follow joint.hinge1.angel=t", "did you mean 'joint.hinge1.angle'?");
  refused("planar-double-pendulum --follow 'joint.hinge1.angle=t)'", "--follow 'joint.hinge1.angle=t)'");
  refused(
      "planar-double-pendulum --follow joint.hinge1.angle=t --follow joint.hinge2.angle=t --motors joint.hinge2.angle",
      "cannot make this motion");
  refused("planar-double-pendulum --follow none.csv", "none.csv");
  refused("mass-spring --follow x=t", "equations of its own");
  EXPECT_EQ(test::polhode("run planar-double-pendulum --motors none.csv").exitCode, 2);
}

}  // namespace
}  // namespace polhode::inverse_command_test
