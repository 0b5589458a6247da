#include "support/command.h"
#include "support/json.h"

#include <cmath>

#include <gtest/gtest.h>

namespace polhode::equilibrium_command_test {
namespace {

/// Writes the model at rest, runs what was written, and expects that nothing moves.
void expectStaysAtRest(const std::string& model, const std::string& runFlags = "") {
  const test::TemporaryFolder folder;
  const test::CommandResult found = test::polhode("equilibrium " + model + " --json --out " + folder / "rest.toml");
  ASSERT_EQ(found.exitCode, 0) << model << found.errors;
  const test::CommandResult ran = test::polhode("run " + folder / "rest.toml --end 0.1 --json " + runFlags);
  ASSERT_EQ(ran.exitCode, 0) << model << ran.errors;
  const test::Json then = test::parseJson(found.output), now = test::parseJson(ran.output);
  for (const auto& [name, body] : std::get<test::Json::Object>(then["bodies"].value)) {
    const test::Json& moved = now["bodies"][name];
    double turn = 0.0;
    for (std::size_t i = 0; i < 4; ++i) turn += body["quaternion"][i].number() * moved["quaternion"][i].number();
    EXPECT_NEAR(std::abs(turn), 1.0, 1e-12) << model << ": " << name;
    for (std::size_t i = 0; i < 3; ++i) {
      EXPECT_NEAR(body["position"][i].number(), moved["position"][i].number(), 1e-10) << model << ": " << name;
      EXPECT_NEAR(moved["velocity"][i].number(), 0.0, 1e-8) << model << ": " << name;
      EXPECT_NEAR(moved["angular_velocity"][i].number(), 0.0, 1e-8) << model << ": " << name;
    }
  }
}

TEST(EquilibriumCommand, WritesAModelThatStartsAtRest) {
  // a point mass, loops, a loop on torsion springs, springs on slides, one that is assembled when it is read
  for (const char* model : {"simple-pendulum", "jansen-walker", "bricard", "andrews-squeezer", "hexapod",
                            "rod-in-sleeve", "spring-top", "planar-double-pendulum --set model.gravity='[3, 1, -9]'"})
    expectStaysAtRest(model);
  expectStaysAtRest("engine-mounts --set force.ignition.scale=0");  // sags into its bushings
  expectStaysAtRest("jansen-walker", "--integrator dop853");
}

// What counts from how the model is drawn goes on to: springs in hinges, bushings that are turned, springs relaxed as drawn.
TEST(EquilibriumCommand, WritesWhatRemembersHowItIsDrawn) {
  const test::TemporaryFolder folder;
  std::ofstream(folder / "sags.toml") << R"([model]
gravity = [0, 0, -9.81]
assemble = true
[[body]]
name = "arm"
mass = 2
inertia = [0.1, 0.2, 0.3]
position = [0.5, 0, 0.01]
angular_velocity = { space = [0, 1, 0] }
[[body]]
name = "flap"
mass = 1
inertia = [0.1, 0.1, 0.1]
position = [1.5, 0.2, 0]
[[joint]]
name = "hip"
type = "revolute"
bodies = ["ground", "arm"]
points = [[0, 0, 0], [0, 0, 0.01]]
axis = [0, 1, 0]
[[force]]
name = "torsion"
type = "joint-spring"
joint = "hip"
stiffness = 30
[[force]]
name = "rubber"
type = "bushing"
bodies = ["arm", "flap"]
point = [1, 0, 0.02]
stiffness = [300, 400, 500]
turning_stiffness = [20, 30, 40]
damping = 5
turning_damping = 3
[[force]]
name = "cord"
type = "spring"
bodies = ["ground", "flap"]
points = [[1.5, 0, 2], [1.5, 0.2, 0]]
stiffness = 20
length = "initial"
[simulation]
integrator = "director-em"
step = 0.01
)";
  expectStaysAtRest(folder / "sags.toml");
  const test::CommandResult found = test::polhode("equilibrium " + folder / "sags.toml --json");
  const double turn = test::parseJson(found.output)["bodies"]["flap"]["quaternion"][0].number();
  EXPECT_LT(turn, 0.99);  // it has gone far

  // and from a URDF file, into another folder than its own
  std::ofstream(folder / "arm.urdf")
      << "<robot name='arm'><link name='base'/><link name='arm'><inertial>"
         "<origin xyz='0.4 0 0'/><mass value='1'/><inertia ixx='0.1' iyy='0.2' izz='0.2' "
         "ixy='0' ixz='0' iyz='0'/></inertial></link><joint name='hip' type='continuous'>"
         "<parent link='base'/><child link='arm'/><axis xyz='0 1 0'/></joint></robot>";
  expectStaysAtRest(folder / "arm.urdf");
}

TEST(EquilibriumCommand, TellsWhereAMechanismRests) {
  const test::CommandResult result = test::polhode("equilibrium planar-double-pendulum --json");
  ASSERT_EQ(result.exitCode, 0) << result.errors;
  const test::Json json = test::parseJson(result.output);
  EXPECT_EQ(json["status"].text(), "finished");
  EXPECT_EQ(json["time"].number(), 0.0);
  EXPECT_TRUE(json["stable"].boolean());
  EXPECT_EQ(json["stiffness"].items().size(), 2u);
  EXPECT_LT(json["max_acceleration"].number(), 1e-12);
  EXPECT_LT(json["energy"]["final"].number(), json["energy"]["initial"].number());
  const std::string text = test::polhode("equilibrium bennett").output;
  EXPECT_NE(text.find("  stable\n"), std::string::npos) << text;
  EXPECT_NE(text.find("degrees of freedom  1\n"), std::string::npos) << text;
}

TEST(EquilibriumCommand, ListsDifferentOnes) {
  const test::CommandResult result = test::polhode("equilibrium four-bars --starts 6 --json");
  ASSERT_EQ(result.exitCode, 0) << result.errors;
  const test::Json json = test::parseJson(result.output);
  ASSERT_EQ(json["equilibria"].items().size(), 2u);
  EXPECT_TRUE(json["equilibria"][0]["stable"].boolean());
  EXPECT_FALSE(json["equilibria"][1]["stable"].boolean());  // where it starts, cranks upright
  EXPECT_EQ(json["held"][0].text(), "the velocities of the start are left aside");
}

TEST(EquilibriumCommand, SaysWhereThereIsNone) {
  const test::CommandResult result = test::polhode("equilibrium free-body --set 'model.gravity=[0, 0, -9.81]' --json");
  EXPECT_EQ(result.exitCode, 3);
  EXPECT_NE(result.errors.find("there is no equilibrium"), std::string::npos) << result.errors;
  EXPECT_EQ(test::parseJson(result.output)["status"].text(), "failed");
  EXPECT_EQ(test::polhode("equilibrium bennett --starts 0").exitCode, 2);
  const test::CommandResult nowhere = test::polhode("equilibrium bennett --out /dev/null/rest.toml");
  EXPECT_EQ(nowhere.exitCode, 2) << nowhere.errors;
}

}  // namespace
}  // namespace polhode::equilibrium_command_test
