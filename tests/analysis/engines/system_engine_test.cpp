#include "analysis/engines/system_engine.h"

#include "integrate/fitting.h"
#include "polhode/analysis/run.h"
#include "system/named_system.h"
#include "system/user_system.h"

#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

namespace polhode::system_engine_test {
namespace {

/// A named system in an engine.
struct Moving {
  explicit Moving(const char* name, const char* integrator, double step, double end)
      : named(namedSystem(name)),
        system(named.make()),
        engine(makeConstrainedStepper(integrator, *system, 0.0, named.initialState(), end, step)) {
    options.end = end;
    options.conserved = engine.conserved();
  }

  const NamedSystem& named;
  std::unique_ptr<SmoothSystem> system;
  SystemEngine engine;
  RunOptions options;
};

// What the observers see is what the stepper says of itself.
TEST(SystemEngine, IsObservedAsTheStepperSays) {
  for (const char* name : {"mass-spring", "spring-pendulum"}) {
    Moving moving(name, "livens-em", 0.02, 1.0);
    const auto& stepper = static_cast<const ConstrainedStepper&>(moving.engine.stepper());
    const RunResult result = run(moving.engine, moving.options);
    EXPECT_EQ(result.failure, "");
    EXPECT_EQ(result.final.time, 1.0);
    EXPECT_TRUE(std::equal(result.final.q.begin(), result.final.q.end(), stepper.q().begin()));
    EXPECT_TRUE(std::equal(result.final.v.begin(), result.final.v.end(), stepper.v().begin()));
    EXPECT_TRUE(std::equal(result.final.p.begin(), result.final.p.end(), stepper.p().begin()));
    EXPECT_NEAR(result.final.energy(), stepper.generalisedEnergy(), 1e-15 * 10);
    EXPECT_NEAR(*result.final.nodeEnergy, stepper.totalEnergy(), 1e-15 * 10);
    EXPECT_EQ(result.final.positionViolation, stepper.positionGap());
    EXPECT_EQ(result.final.velocityViolation, stepper.velocityGap());
    EXPECT_LT(result.energyDrift, 1e-13) << name;
  }
}

// The azimuth of the spring pendulum is cyclic: p_phi stays with the chain rule and drifts with Gonzalez' gradient.
TEST(SystemEngine, FollowsMomentaOfCyclicCoordinates) {
  for (const auto& [integrator, isKept] : {std::pair{"livens-em-chain", true}, std::pair{"livens-em", false}}) {
    Moving moving("spring-pendulum", integrator, 0.01, 1.0);
    const RunResult result = run(moving.engine, moving.options);
    ASSERT_EQ(result.generalisedMomenta.size(), 1u);
    const GeneralisedDrift& momentum = result.generalisedMomenta.front();
    EXPECT_EQ(momentum.direction, (std::vector<double>{0.0, 0.0, 1.0}));
    EXPECT_EQ(momentum.initial, result.initial.p[2]);
    EXPECT_EQ(momentum.final, result.final.p[2]);
    EXPECT_EQ(momentum.drift < 1e-13, isKept) << momentum.drift;
  }
}

TEST(SystemEngine, IsRecordedAtEvenTimesAndStoppedByConditions) {
  Moving moving("spring-pendulum", "livens-em-chain", 0.01, 1.0);
  moving.options.record = true;
  moving.options.outputEvery = 0.125;
  moving.options.stopWhen = "q.3=0.5";
  const RunResult result = run(moving.engine, moving.options);
  EXPECT_TRUE(result.stoppedByEvent);
  EXPECT_NEAR(result.final.q[2], 0.5, 1e-12);
  const std::vector<std::string>& columns = result.recording.columns;
  EXPECT_EQ(columns.size(), 1u + 9u + 4u);
  EXPECT_EQ(columns[1], "q.1");
  EXPECT_EQ(columns[9], "p.3");
  EXPECT_EQ(columns[10], "generalised_energy");
  EXPECT_EQ(columns.back(), "constraint.velocity");
  ASSERT_EQ(result.recording.rows(), 5u);  // 0, 0.125, 0.25, 0.375 and where it stopped
  EXPECT_EQ(result.recording.values[2 * columns.size()], 0.25);
  EXPECT_EQ(result.recording.values[4 * columns.size() + 3], result.final.q[2]);
}

/// A weight on a damped spring: what the damper takes is what the energy loses.
class DampedWeight : public UserSystem<DampedWeight, 1> {
 public:
  std::string name() const override { return "damped weight"; }
  template <class S>
  Mass<S> massMatrix(const Position<S>&) const {
    return Mass<S>(S(2.0));
  }
  template <class S>
  S potentialEnergy(const Position<S>& q) const {
    return 50.0 * q[0] * q[0];
  }
  template <class S>
  Position<S> externalForce(double, const Position<S>&, const Position<S>& v) const {
    return Position<S>(S(-3.0) * v[0]);
  }
};

TEST(SystemEngine, BalancesTheWorkOfAppliedForces) {
  const DampedWeight weight;
  SystemEngine engine(makeConstrainedStepper("livens-em", weight, 0.0, Eigen::Vector2d(0.1, 0.0), 2.0, 0.01));
  RunOptions options;
  options.end = 2.0;
  options.conserved = engine.conserved();
  EXPECT_FALSE(options.conserved.energy);
  const RunResult result = run(engine, options);
  EXPECT_TRUE(result.hasBalance());
  EXPECT_LT(result.final.work, -0.4);
  EXPECT_LT(result.balanceError, 1e-14);
  EXPECT_NEAR(result.initial.energy() + result.final.work, result.final.energy(), 1e-14);
}

}  // namespace
}  // namespace polhode::system_engine_test
