#include "polhode/analysis/run.h"
#include "polhode/error.h"
#include "polhode/io/model_file.h"

#include <cmath>
#include <string>

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

// Schemes of mechanisms that choose their step: two digits of the tolerance, as their errors add up.
TEST(Breaks, ALateBumpIsFeltByConservingSchemesToo) {
  for (const char* integrator : {"director-em", "director-em-4", "director-gauss", "eml", "eml-4", "mpl"}) {
    const RunResult result = runModel(onRail("", load("step(t - 50)*step(50.5 - t)")), integrator, 52.5);
    EXPECT_EQ(result.failure, "") << integrator;
    EXPECT_NEAR(result.final.bodies[0].velocity.x(), 1.0, 1e-11) << integrator;
    EXPECT_NEAR(result.final.bodies[0].position.x(), 2.25, 1e-4) << integrator;
  }
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
                         testing::Values("dopri5", "dop853", "odex", "radau5", "seulex", "bdf", "director-gauss-8"));

/// With steps of 0.01 s, whatever the scheme.
RunResult runByFixedSteps(const std::string& text, const std::string& integrator, double end) {
  SimulationSettings settings;
  settings.integrator = integrator;
  settings.step = 0.01;
  settings.end = end;
  return simulate(readModelText(text, "test.toml").model, settings);
}

class WithFixedSteps : public testing::TestWithParam<std::string> {};

// 4 N for 1.5 ms within one step of 10 ms, on 2 kg: the impulse is right, as no step goes across its ends.
TEST_P(WithFixedSteps, ABumpWithinAStepIsFelt) {
  const RunResult result = runByFixedSteps(onRail("", load("step(t - 0.3061)*step(0.3076 - t)")), GetParam(), 1.0);
  EXPECT_EQ(result.failure, "");
  EXPECT_NEAR(result.final.bodies[0].velocity.x(), 2.0 * 0.0015, 1e-14);
  EXPECT_EQ(result.work.steps, 102);
}

TEST_P(WithFixedSteps, ALoadThatKinksWithinAStepHasItsImpulse) {
  const std::string kinked =
      "[[force]]\nname = 'push'\ntype = 'load'\nbody = 'mass'\nforce = [4, 0, 0]\n"
      "scale = { table = [[0, 0], [0.253, 1], [0.557, 1], [0.6, 0]] }\n";
  const RunResult result = runByFixedSteps(onRail("", kinked), GetParam(), 1.0);
  EXPECT_NEAR(result.final.bodies[0].velocity.x(), 2.0 * (0.5 * 0.253 + 0.304 + 0.5 * 0.043), 1e-12);
  EXPECT_EQ(result.work.steps, 102);
}

INSTANTIATE_TEST_SUITE_P(Schemes, WithFixedSteps,
                         testing::Values("director-em", "director-em-4", "director-gauss-6", "eml", "eml-4", "mpl",
                                         "linear-implicit-euler"),
                         [](const auto& each) {
                           std::string name = each.param;
                           std::erase(name, '-');
                           return name;
                         });

// A drive that is drawn along and stops between two points of the grid: the joint stays closed, and the mass rests at once.
TEST(Breaks, ADriveThatStopsWithinAStepIsHeldByLinearImplicitEuler) {
  const std::string rampAndHold = onRail(drive(R"x(formula = "0.5*min(t, 0.3037)")x"), load("0.25*t"));
  SimulationSettings settings;
  settings.integrator = "linear-implicit-euler";
  settings.step = 0.01;
  settings.end = 1.0;
  Model model = readModelText(rampAndHold, "test.toml").model;
  model.bodies[0].velocity.x() = 0.5;
  const RunResult result = simulate(model, settings);
  EXPECT_EQ(result.failure, "");
  EXPECT_LT(result.positionViolation, 1e-13);
  EXPECT_NEAR(result.final.bodies[0].position.x(), 0.5 * 0.3037, 1e-13);
  EXPECT_NEAR(result.final.bodies[0].velocity.x(), 0.0, 1e-13);
}

// A crank that is turned backwards from 0.37 s on, within a step of 0.02 s and at the end of one of 0.01 s; a rod hangs on it.
TEST(Breaks, CollocationKeepsItsOrderBehindAKinkOfADrive) {
  const Model model = readModelText(R"toml(
[model]
gravity = [0, 0, -9.81]
[[body]]
name = "crank"
mass = 2
inertia = [0.01, 0.2, 0.2]
position = [0.5, 0, 0]
[[body]]
name = "rod"
mass = 1
inertia = [0.01, 0.1, 0.1]
position = [1.5, 0, 0]
[[joint]]
name = "hinge"
type = "revolute"
bodies = ["ground", "crank"]
point = [0, 0, 0]
axis = [0, 1, 0]
drive = { angle = { formula = "-2*t + 3*max(0, t - 0.37)" } }
[[joint]]
name = "pin"
type = "revolute"
bodies = ["crank", "rod"]
point = [1, 0, 0]
axis = [0, 1, 0]
)toml",
                                    "crank.toml")
                          .model;
  SimulationSettings settings;
  settings.end = 1.0;
  settings.tolerance = 1e-14;
  const Vector3 expected = simulate(model, settings).final.bodies[1].position;
  settings.integrator = "director-gauss-6";
  const auto errorAt = [&](double step) {
    settings.step = step;
    const RunResult result = simulate(model, settings);
    EXPECT_LT(result.balanceError, 1e-13);
    EXPECT_LT(result.positionViolation, 1e-14);
    return (result.final.bodies[1].position - expected).norm();
  };
  EXPECT_NEAR(std::log2(errorAt(0.02) / errorAt(0.01)), 6.0, 0.1);
}

TEST(Breaks, ADriveThatJumpsIsRefusedByNameAndTime) {
  for (const char* signal :
       {R"x(formula = "0.1*step(t - 1)")x", R"x(formula = "0.1*t*step(1 - t)")x", "table = [[0, 0], [1, 0], [1, 0.1]]"})
    for (const char* integrator : {"dop853", "director-em", "director-gauss-8", "linear-implicit-euler"}) {
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
