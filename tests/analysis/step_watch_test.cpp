#include "analysis/step_watch.h"

#include "analysis/engine_registry.h"
#include "io/examples.h"
#include "math/largest.h"
#include "polhode/io/model_file.h"
#include "polhode/system/checked_model.h"

#include <cmath>
#include <limits>

#include <gtest/gtest.h>

namespace polhode::step_watch_test {
namespace {

/// What `run` tells of its steps, seen one after the other.
struct Extremes {
  double energyDrift = 0.0, gap = 0.0;
  Vector3 linear = Vector3::Zero(), angular = Vector3::Zero();
};

Extremes oneByOne(const Model& model, const SimulationSettings& settings) {
  const auto engine = makeEngine(model, settings);
  Stepper& stepper = engine->stepper();
  const Balance first = engine->balance(stepper.time(), stepper.state());
  Extremes found;
  double energy = 0.0, linear = 0.0, angular = 0.0;
  const auto see = [&](const Balance& now) {
    energy = std::max({energy, std::abs(now.kineticEnergy), std::abs(now.potentialEnergy)});
    linear = std::max(linear, now.linearMomentum.norm());
    angular = std::max(angular, now.angularMomentum.norm());
    found.energyDrift = std::max(found.energyDrift, std::abs(now.energy() - first.energy()));
    found.linear = found.linear.cwiseMax((now.linearMomentum - first.linearMomentum).cwiseAbs());
    found.angular = found.angular.cwiseMax((now.angularMomentum - first.angularMomentum).cwiseAbs());
    found.gap = std::max(found.gap, now.positionViolation);
  };
  see(first);
  while (stepper.time() < settings.end) {
    stepper.step();
    see(engine->balance(stepper.time(), stepper.state()));
  }
  found.energyDrift /= energy;
  if (linear > 0.0) found.linear /= linear;
  if (angular > 0.0) found.angular /= angular;
  return found;
}

TEST(StepWatch, SeesInLanesWhatIsSeenOneByOne) {
  for (const char* name : {"heavy-top", "free-body", "spring-top", "lang-b"})
    for (const char* coordinates : {"quaternion", "director"})
      for (const double end : {0.37, 1.0}) {  // some steps are left over that fill no register
        ModelFile file = readModelText(findExample(name)->text, name);
        file.simulation.integrator = "dopri5";
        file.simulation.coordinates = coordinates;
        file.simulation.formulation = "null-space";
        file.simulation.step.reset();
        file.simulation.tolerance = 1e-4;  // drifts that are no rounding
        file.simulation.end = end;
        SCOPED_TRACE(std::string(name) + " in " + coordinates);
        const Model model = checked(file.model);
        ASSERT_NE(makeEngine(model, file.simulation)->stepSums(), nullptr);
        const Extremes expected = oneByOne(model, file.simulation);
        const RunResult result = run(*makeEngine(model, file.simulation), runOptions(model, file.simulation));
        EXPECT_GT(expected.energyDrift, 1e-9);
        EXPECT_NEAR(result.energyDrift, expected.energyDrift, 1e-14);
        EXPECT_NEAR(result.positionViolation, expected.gap, 1e-15);
        EXPECT_LT((result.linearMomentumDrift - expected.linear).norm(), 1e-13);
        EXPECT_LT((result.angularMomentumDrift - expected.angular).norm(), 1e-13);
        EXPECT_EQ(result.final.time, end);
      }
}

/// A clock whose state is its time.
class Clock final : public Stepper {
 public:
  void step() override { previous_ = state_[0], state_[0] += 0.25; }
  double time() const override { return state_[0]; }
  double previousTime() const override { return previous_; }
  const VectorX& state() const override { return state_; }
  void interpolate(double t, VectorX& y) const override { y = VectorX::Constant(1, t); }
  void replaceState(const VectorX&) override {}
  const WorkCounts& work() const override { return work_; }

 private:
  double previous_ = 0.0;
  VectorX state_ = VectorX::Zero(1);
  WorkCounts work_;
};

/// Moves well until a time and has no energy from there on.
class Lost final : public Engine, public StepSums {
 public:
  explicit Lost(double until) : until_(until) {}
  Stepper& stepper() override { return clock_; }
  const StepSums* stepSums() const override { return this; }
  LaneBalance of(const KeptSteps& steps, int first) const override {
    LaneBalance sums{Balance{}};
    for (int lane = 0; lane < lanesOfRegister; ++lane)
      sums.kineticEnergy.numbers[lane] = energyAt(steps.coordinate(0, first)[lane]);
    return sums;
  }

 private:
  double energyAt(double t) const { return t < until_ ? 1.0 + t : std::numeric_limits<double>::quiet_NaN(); }
  Observation observed(double t, const VectorX& y, Detail) const override {
    Observation o;
    o.time = t;
    o.kineticEnergy = energyAt(y[0]);
    return o;
  }

  double until_;
  Clock clock_;
};

TEST(StepWatch, EndsWhereTheMotionWasLastGood) {
  for (const double until : {0.25, 0.5, 1.75, 2.0, 2.25, 4.0, 10.0}) {
    SCOPED_TRACE(until);
    Lost engine(until);
    RunOptions options;
    options.end = 5.0;
    options.record = true;
    options.outputEvery = 1.5;
    const RunResult result = run(engine, options);
    EXPECT_EQ(result.failure.empty(), until > 5.0);
    EXPECT_EQ(result.final.time, std::min(5.0, until - 0.25));
    EXPECT_EQ(result.final.kineticEnergy, 1.0 + result.final.time);
    EXPECT_DOUBLE_EQ(result.energyDrift, result.final.time / (1.0 + result.final.time));
    for (const double energy : result.recording.column("energy")) EXPECT_TRUE(std::isfinite(energy));
    EXPECT_EQ(result.recording.column("time").back(), result.final.time);
  }
}

}  // namespace
}  // namespace polhode::step_watch_test
