#include "support/command.h"
#include "support/json.h"

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

TEST(ModesCommand, RefusesAStartThatIsNoEquilibrium) {
  const test::CommandResult result = test::polhode("modes simple-pendulum --at-start");
  EXPECT_EQ(result.exitCode, 3);
  EXPECT_NE(result.errors.find("the start is no equilibrium"), std::string::npos) << result.errors;
  EXPECT_EQ(result.output, "");
}

}  // namespace
}  // namespace polhode::modes_command_test
