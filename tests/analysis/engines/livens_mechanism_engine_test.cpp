#include "analysis/engines/livens_mechanism_engine.h"

#include "io/examples.h"
#include "polhode/analysis/run.h"
#include "polhode/error.h"
#include "polhode/io/model_file.h"
#include "support/mechanisms.h"

#include <cmath>

#include <gtest/gtest.h>

/// Mechanisms by quaternion EML: what it keeps, what it does not, and what it says of that.
namespace polhode::livens_mechanism_engine_test {
namespace {

Model example(const std::string& name) {
  return readModelText(findExample(name)->text, name).model;
}

SimulationSettings settingsOf(const std::string& integrator, double step, double end) {
  SimulationSettings settings;
  settings.integrator = integrator;
  settings.step = step;
  settings.end = end;
  return settings;
}

/// The largest multiplier at a time, those of |p| = 1 included.
double largestMultiplier(double time) {
  const auto simulation = makeEngine(example("four-bar-loop"), settingsOf("eml", 0.1, time));
  simulation->advanceTo(time);
  return dynamic_cast<const ConstrainedStepper&>(simulation->stepper()).multipliers().cwiseAbs().maxCoeff();
}

// Kinon & Betsch 5.5 at h = 0.1: what the authors' own code gives for the angular momentum at t = 1 and t = 10, and for the
// largest multiplier at t = 1.1 and t = 10. So figure 16 only looks constant.
TEST(LivensMechanismEngine, FourBarLoopAsByTheAuthors) {
  const RunResult run = simulate(example("four-bar-loop"), settingsOf("eml", 0.1, 10.0), true);
  ASSERT_EQ(run.failure, "");
  const std::vector<double> L = run.recording.column("angular_momentum.x");
  EXPECT_NEAR(L[10], 299.8834, 1e-4);
  EXPECT_NEAR(L[100], 300.1806, 1e-4);
  EXPECT_NEAR(largestMultiplier(1.1), 317.0, 1.0);
  EXPECT_NEAR(largestMultiplier(10.0), 7057.0, 1.0);
  EXPECT_LT(run.balanceError, 1e-11);
  EXPECT_LT(run.positionViolation, 1e-13);
  EXPECT_EQ(run.warning.find("eml with joints loses angular momentum"), 0u);
}

// Energy (generalised) and joints to rounding, with quartic joints (hinges), gravity, springs and redundant rows.
TEST(LivensMechanismEngine, KeepsEnergyAndJoints) {
  const struct {
    Model model;
    double step;
  } cases[] = {{test::hingedPendulum(), 0.01}, {test::spatialDoublePendulum(), 0.01},
               {test::bricard(), 0.01},        {test::spatialSliderCrank(), 0.002},
               {example("lang-c"), 0.002},     {example("bennett"), 0.01}};
  for (const auto& [model, step] : cases) {
    const RunResult run = simulate(model, settingsOf("eml", step, 30.0 * step));
    EXPECT_EQ(run.failure, "") << model.name;
    EXPECT_LT(run.energyDrift, 1e-11) << model.name;
    EXPECT_LT(run.positionViolation, 1e-11) << model.name;
  }
}

TEST(LivensMechanismEngine, BalancesTheWorkOfDampersAndLoads) {
  const RunResult run = simulate(example("quarter-car"), settingsOf("eml", 0.001, 0.05));
  EXPECT_EQ(run.failure, "");
  EXPECT_NE(run.final.work, 0.0);
  EXPECT_LT(run.balanceError, 1e-11);
}

// What a joint does to a body hanging at rest is its weight.
TEST(LivensMechanismEngine, ReactionOfABodyAtRest) {
  Model model = test::hingedPendulum();
  model.joints.resize(1);
  model.bodies.resize(1);
  model.joints[0].type = "fixed";
  const auto simulation = makeEngine(model, settingsOf("eml", 0.01, 0.05));
  simulation->advanceTo(0.05);
  const Observation end = simulation->observe(0.05, simulation->stepper().state());
  EXPECT_NEAR(end.joints[0].force[1], 9.81, 1e-9);
}

TEST(LivensMechanismEngine, StepsForATolerance) {
  SimulationSettings settings;
  settings.integrator = "eml";
  settings.tolerance = 1e-5;
  settings.end = 0.2;
  const RunResult run = simulate(test::hingedPendulum(), settings);
  EXPECT_EQ(run.failure, "");
  EXPECT_LT(run.energyDrift, 1e-11);
}

// It says who it is by the name that it was asked for.
TEST(LivensMechanismEngine, FailsInTheLongRun) {
  const RunResult run = simulate(example("four-bar-loop"), settingsOf("eml", 0.1, 20.0));
  EXPECT_EQ(run.failure.find("eml on"), 0u) << run.failure;
  EXPECT_GT(run.final.time, 10.5);
  EXPECT_LT(run.final.time, 12.5);
}

TEST(LivensMechanismEngine, SaysWhatDoesNotFit) {
  SimulationSettings settings = settingsOf("eml", 0.01, 1.0);
  settings.coordinates = "director";
  EXPECT_THROW(makeEngine(test::hingedPendulum(), settings), InputError);
  settings = settingsOf("eml", 0.01, 1.0);
  settings.projection = "explicit";
  EXPECT_THROW(makeEngine(test::hingedPendulum(), settings), InputError);
  // schemes that are for one body only
  EXPECT_THROW(makeEngine(test::hingedPendulum(), settingsOf("reml", 0.01, 1.0)), InputError);
}

}  // namespace
}  // namespace polhode::livens_mechanism_engine_test
