#include "analysis/engine_registry.h"
#include "io/examples.h"
#include "polhode/analysis/run.h"
#include "polhode/io/model_file.h"

#include <cmath>

#include <gtest/gtest.h>

/// Runs by classical integrators report the work of loads, dampers, motors and drives, to their own accuracy.
namespace polhode::classical_work_test {
namespace {

RunResult resultOf(const std::string& text, const std::string& integrator, const std::string& formulation,
                   double tolerance, double end) {
  ModelFile file = readModelText(text, "test.toml");
  file.simulation.integrator = integrator;
  file.simulation.formulation = formulation;
  file.simulation.tolerance = tolerance;
  file.simulation.step.reset();
  file.simulation.end = end;
  const RunResult result = simulate(file.model, file.simulation);
  EXPECT_EQ(result.failure, "") << integrator << " " << formulation;
  return result;
}

/// A rod on a hinge with a motor, a damper and a spring with a damper, pushed by a load.
const std::string driven = R"toml(
[model]
gravity = [0, 0, -9.81]
[[body]]
name = "rod"
mass = 1
inertia = [0.01, 0.1, 0.1]
position = [0.5, 0, 0]
[[joint]]
name = "hinge"
type = "revolute"
bodies = ["ground", "rod"]
point = [0, 0, 0]
axis = [0, 1, 0]
[[force]]
name = "motor"
type = "joint-motor"
joint = "hinge"
effort = 2
scale = { formula = "sin(3*t)" }
[[force]]
name = "friction"
type = "joint-damper"
joint = "hinge"
damping = 0.3
[[force]]
name = "strut"
type = "spring"
bodies = ["ground", "rod"]
points = [[1, 0, 1], [1, 0, 0]]
length = 0.8
stiffness = 20
damping = 0.5
[[force]]
name = "push"
type = "load"
body = "rod"
force = { body = [0, 0, 3] }
)toml";

TEST(ClassicalWork, BalancesTheEnergyInEveryFormulation) {
  const double kept = resultOf(driven, "dop853", "null-space", 1e-12, 2.0).final.work;
  for (const char* formulation : {"null-space", "absolute"})
    for (const char* integrator : {"dopri5", "dop853", "radau5", "odex"}) {
      const RunResult result = resultOf(driven, integrator, formulation, 1e-10, 2.0);
      EXPECT_GT(result.energyDrift, 0.1);
      EXPECT_LT(result.balanceError, 1e-7) << integrator << " " << formulation;  // odex interpolates least well
      EXPECT_NEAR(result.final.work, kept, 1e-6) << integrator << " " << formulation;
    }
  for (const char* formulation : {"index-1", "index-2", "index-3", "ggl"})
    EXPECT_LT(resultOf(driven, "bdf", formulation, 1e-8, 2.0).balanceError, 1e-4) << formulation;
}

TEST(ClassicalWork, IsRightWithinAStep) {
  ModelFile file = readModelText(driven, "test.toml");
  file.simulation.integrator = "dop853";
  file.simulation.tolerance = 1e-11;
  const auto simulation = makeEngine(file.model, file.simulation);
  Stepper& stepper = simulation->stepper();
  const double energy = simulation->observe(0.0, stepper.state()).energy();
  for (int i = 0; i < 5; ++i) stepper.step();
  VectorX y = stepper.state();
  for (const double share : {0.0, 0.3, 0.8, 1.0}) {
    const double t = (1.0 - share) * stepper.previousTime() + share * stepper.time();
    stepper.interpolate(t, y);
    const Observation now = simulation->observe(t, y);
    EXPECT_NEAR(now.energy() - now.work, energy, 1e-8) << share;
  }
}

TEST(ClassicalWork, OfADriveIsPartOfIt) {
  const std::string text = findExample("car-axis")->text;
  EXPECT_LT(resultOf(text, "dop853", "null-space", 1e-11, 1.0).balanceError, 1e-8);
  EXPECT_LT(resultOf(text, "dop853", "absolute", 1e-11, 1.0).balanceError, 1e-8);
}

TEST(ClassicalWork, OfTheQuarterCarsDamper) {
  const RunResult result = resultOf(findExample("quarter-car")->text, "radau5", "null-space", 1e-9, 2.0);
  EXPECT_LT(result.balanceError, 1e-6);
  EXPECT_GT(std::abs(result.final.work), 1.0);
}

}  // namespace
}  // namespace polhode::classical_work_test
