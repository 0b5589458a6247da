#include "polhode/analysis/run.h"
#include "polhode/error.h"
#include "polhode/io/model_file.h"

#include <cmath>

#include <fmt/format.h>
#include <gtest/gtest.h>

/// Loads and drives that do something late, suddenly or for a short time, with every classical integrator.
namespace polhode::breaks_test {
namespace {

/// A mass of 2 kg on a rail along x, and what happens to it.
std::string onRail(const std::string& drive, const std::string& force) {
  return fmt::format(R"toml(
[[body]]
name = "mass"
mass = 2
inertia = [1, 1, 1]
[[joint]]
name = "rail"
type = "prismatic"
bodies = ["ground", "mass"]
point = [0, 0, 0]
axis = [1, 0, 0]
{}
{}
)toml",
                     drive, force);
}

std::string load(const std::string& formula) {
  return fmt::format(R"toml(
[[force]]
name = "push"
type = "load"
body = "mass"
force = [4, 0, 0]
scale = {{ formula = "{}" }}
)toml",
                     formula);
}

std::string drive(const std::string& signal) {
  return fmt::format("drive = {{ displacement = {{ {} }} }}", signal);
}

RunResult runModel(const std::string& text, const std::string& integrator, double end, double tolerance = 1e-6) {
  SimulationSettings settings;
  settings.integrator = integrator;
  settings.end = end;
  settings.tolerance = tolerance;
  return simulate(readModelText(text, "test.toml").model, settings);
}

class WithEachIntegrator : public testing::TestWithParam<std::string> {};

TEST_P(WithEachIntegrator, AShortLateBumpIsFelt) {
  // half a second of 4 N on 2 kg, then 1 m/s
  for (const double at : {5.0, 500.0}) {
    const RunResult result =
        runModel(onRail("", load(fmt::format("step(t - {})*step({} - t)", at, at + 0.5))), GetParam(), at + 2.5);
    EXPECT_EQ(result.failure, "");
    EXPECT_NEAR(result.final.bodies[0].velocity.x(), 1.0, 1e-6);
    EXPECT_NEAR(result.final.bodies[0].position.x(), 2.25, 1e-5);
    EXPECT_LT(result.work.steps, 600);
  }
  // the same push as a smooth bump, 0.05 s wide
  const RunResult result = runModel(onRail("", load("exp(-((t - 50)/0.05)^2)")), GetParam(), 52.0);
  EXPECT_NEAR(result.final.bodies[0].velocity.x(), 2.0 * 0.05 * std::sqrt(std::acos(-1.0)),
              GetParam() == "bdf" ? 1e-4 : 1e-5);  // whose error is a few hundred times its tolerance
}

TEST_P(WithEachIntegrator, AJumpOfALoadKeepsTheBalance) {
  const RunResult result = runModel(onRail("", load("1 + 5*step(t - 0.37)")), GetParam(), 1.0, 1e-8);
  EXPECT_NEAR(result.final.bodies[0].velocity.x(), 2.0 * (1.0 + 5.0 * 0.63), 1e-6);
  EXPECT_LT(result.balanceError, 1e-7);
}

TEST_P(WithEachIntegrator, ADriveAfterRestIsFollowed) {
  const RunResult result = runModel(
      onRail(
          drive(R"x(formula = "0.1*(1 - cos(10*pi*(t - 20)))*step(t - 20)*step(20.2 - t) + 0.3*max(0, t - 20.2)^3")x"),
          ""),
      GetParam(), 20.7);
  EXPECT_EQ(result.failure, "");
  EXPECT_NEAR(result.final.bodies[0].position.x(), 0.3 * 0.125, 1e-5);
  EXPECT_NEAR(result.final.joints[0].coordinates[0].rate, 0.9 * 0.25, 1e-4);
  EXPECT_LT(result.balanceError, 1e-3);
}

INSTANTIATE_TEST_SUITE_P(Integrators, WithEachIntegrator,
                         testing::Values("dopri5", "dop853", "odex", "radau5", "seulex", "bdf"));

TEST(Breaks, ADriveThatJumpsIsRefusedByNameAndTime) {
  for (const char* signal :
       {R"x(formula = "0.1*step(t - 1)")x", R"x(formula = "0.1*t*step(1 - t)")x", "table = [[0, 0], [1, 0], [1, 0.1]]"})
    for (const char* integrator : {"dop853", "director-em", "linear-implicit-euler"}) {
      try {
        SimulationSettings settings;
        settings.integrator = integrator;
        settings.step = 0.01;
        settings.end = 2.0;
        simulate(readModelText(onRail(drive(signal), ""), "test.toml").model, settings);
        ADD_FAILURE() << signal << " is accepted by " << integrator;
      } catch (const InputError& error) {
        const std::string text = error.what();
        EXPECT_NE(text.find("'rail'"), std::string::npos) << text;
        EXPECT_NE(text.find("jump"), std::string::npos) << text;
      }
    }
}

TEST(Breaks, TolerancesThatMakeNoSenseAreRefused) {
  for (const double tolerance : {5.0, 1.0, 1e-30, 0.0, -1.0, std::nan("")})
    EXPECT_THROW(runModel(onRail("", ""), "dop853", 1.0, tolerance), InputError) << tolerance;
}

TEST(Breaks, NumbersBeyondAllBoundsEndTheRun) {
  for (const char* integrator : {"dop853", "director-em"}) {
    SimulationSettings settings;
    settings.integrator = integrator;
    if (settings.integrator == "director-em") settings.step = 0.01;
    settings.end = 1.0;
    const std::string text = onRail("", load("step(t - 0.5)*1e305"));
    const RunResult result = simulate(readModelText(text, "test.toml").model, settings);
    EXPECT_NE(result.failure, "") << integrator;
    EXPECT_LE(result.final.time, 0.52);
    EXPECT_TRUE(std::isfinite(result.final.energy())) << integrator;
  }
}

TEST(Breaks, AFarMechanismIsAsAccurateAsANearOne) {
  // a mass on a spring of 10/s at 1e6 m: x = 1 - cos(10 t)
  const auto at = [](double place) {
    return fmt::format(R"toml(
[[body]]
name = "mass"
mass = 1
inertia = [1, 1, 1]
position = [{0}, 0, 0]
[[joint]]
name = "slide"
type = "prismatic"
bodies = ["ground", "mass"]
point = [{0}, 0, 0]
axis = [1, 0, 0]
[[force]]
name = "spring"
type = "joint-spring"
joint = "slide"
rest = 1.0
stiffness = 100
)toml",
                       place);
  };
  for (const char* integrator : {"dop853", "radau5", "bdf"}) {
    const RunResult near = runModel(at(0.0), integrator, 1.0, 1e-8), far = runModel(at(1e6), integrator, 1.0, 1e-8);
    EXPECT_NEAR(far.final.bodies[0].position.x() - 1e6, 1.0 - std::cos(10.0), 1e-5) << integrator;
    EXPECT_NEAR(static_cast<double>(far.work.steps), static_cast<double>(near.work.steps), 0.1 * near.work.steps)
        << integrator;
  }
  // 715 steps that may add 1e-8 of the size each, which is 3.5 m with its radius of gyration
  const RunResult far = runModel(at(1e6), "director-em", 1.0, 1e-8);
  EXPECT_NEAR(far.final.bodies[0].position.x() - 1e6, 1.0 - std::cos(10.0), 5e-5);
}

}  // namespace
}  // namespace polhode::breaks_test
