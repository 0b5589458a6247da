#include "support/command.h"
#include "support/json.h"

#include <gtest/gtest.h>

namespace polhode::equilibrium_command_test {
namespace {

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
}

}  // namespace
}  // namespace polhode::equilibrium_command_test
