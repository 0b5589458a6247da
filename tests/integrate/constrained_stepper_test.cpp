#include "integrate/constrained_stepper.h"

#include "integrate/fitting.h"
#include "polhode/error.h"
#include "support/spring_references.h"
#include "support/test_systems.h"
#include "system/named_system.h"

#include <cmath>

#include <gtest/gtest.h>

namespace polhode::constrained_stepper_test {
namespace {

using namespace test;

/// What holds for every integrator of constrained systems; a new one is tested by its entry in
/// catalogue.cpp.
class EveryConstrainedIntegrator : public testing::TestWithParam<IntegratorInfo> {
 protected:
  std::unique_ptr<ConstrainedStepper> make(const ConstrainedSystem& system, const VectorX& state, double end,
                                           double h) const {
    return makeConstrainedStepper(GetParam().name, system, 0, state, end, h);
  }

  static VectorX runToEnd(ConstrainedStepper& stepper, double end) {
    while (stepper.time() < end) stepper.step();
    return stepper.state();
  }

  /// log2 of the ratio of errors in q for steps h and h/2.
  double order(const NamedSystem& named, const VectorX& reference, double h) const {
    const auto system = named.make();
    double errors[2];
    for (int k = 0; k < 2; ++k) {
      const auto stepper = make(*system, named.initialState(), 1.0, h / (k + 1));
      errors[k] = (runToEnd(*stepper, 1.0).head(3) - reference.head(3)).norm();
    }
    return std::log2(errors[0] / errors[1]);
  }
};

std::string testName(const testing::TestParamInfo<IntegratorInfo>& info) {
  std::string name(info.param.name);
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
}

INSTANTIATE_TEST_SUITE_P(All, EveryConstrainedIntegrator,
                         testing::ValuesIn(constrainedIntegrators().begin(), constrainedIntegrators().end()), testName);

TEST_P(EveryConstrainedIntegrator, ConvergesWithOrderTwoOnTheMassSpringSystem) {
  if (GetParam().needsRegularMass) GTEST_SKIP() << "singular mass";
  EXPECT_NEAR(order(namedSystem("mass-spring"), massSpringAt1(), 0.01), 2.0, 0.02);
}

TEST_P(EveryConstrainedIntegrator, ConvergesWithOrderTwoOnTheSpringPendulum) {
  EXPECT_NEAR(order(namedSystem("spring-pendulum"), springPendulumAt1(), 0.005), 2.0, 0.02);
}

// A symmetric scheme: a step forth and the same step back lead to the start, up to round-off.
TEST_P(EveryConstrainedIntegrator, IsSymmetric) {
  const auto pendulum = planarDoublePendulum();
  const auto stepper = make(*pendulum, doublePendulumState(), 10, 0.02);
  for (int k = 0; k < 5; ++k) stepper->step();
  const VectorX before = stepper->state();
  stepper->advance(0.02);
  EXPECT_GT((stepper->state() - before).norm(), 1e-2);
  stepper->advance(-0.02);
  EXPECT_LT((stepper->state() - before).norm(), 1e-12 * before.norm());
}

TEST_P(EveryConstrainedIntegrator, KeepsTheConstraints) {
  const auto pendulum = planarDoublePendulum();
  const auto stepper = make(*pendulum, doublePendulumState(), 10, 0.01);
  for (int k = 0; k < 1000; ++k) {
    stepper->step();
    ASSERT_LT(stepper->positionGap(), 1e-14) << stepper->time();
  }
}

// Without weight the angular momentum of point masses on rods is a quadratic momentum map: all keep it, since
// the constraints are quadratic and their discrete gradient is that at the mean point.
TEST_P(EveryConstrainedIntegrator, KeepsAngularMomentumOfAFreePendulum) {
  const auto pendulum = planarDoublePendulum(0);
  const auto stepper = make(*pendulum, doublePendulumState(), 10, 0.02);
  const auto momentum = [&] {
    const VectorX q = stepper->q(), p = stepper->p();
    return q[0] * p[1] - q[1] * p[0] + q[2] * p[3] - q[3] * p[2];
  };
  const double initial = momentum();
  for (int k = 0; k < 500; ++k) stepper->step();
  EXPECT_NEAR(momentum(), initial, 1e-12 * std::abs(initial));
}

TEST_P(EveryConstrainedIntegrator, TakesTheGivenStepAndEndsExactly) {
  const NamedSystem& named = namedSystem("spring-pendulum");
  const auto system = named.make();
  const auto stepper = make(*system, named.initialState(), 0.1, 0.03);
  for (const double expected : {0.03, 0.06, 0.09, 0.1, 0.1}) {
    stepper->step();
    EXPECT_DOUBLE_EQ(stepper->time(), expected);
  }
  EXPECT_EQ(stepper->work().steps, 4);
  EXPECT_DOUBLE_EQ(stepper->previousTime(), 0.09);
}

TEST_P(EveryConstrainedIntegrator, InterpolatesBetweenTheEndsOfAStep) {
  const NamedSystem& named = namedSystem("spring-pendulum");
  const auto system = named.make();
  const auto stepper = make(*system, named.initialState(), 1, 0.01);
  stepper->step();
  const VectorX before = stepper->state();
  stepper->step();
  VectorX y(9);
  stepper->interpolate(0.01, y);
  EXPECT_LT((y - before).norm(), 1e-13);
  stepper->interpolate(0.02, y);
  EXPECT_LT((y - stepper->state()).norm(), 1e-13);
  stepper->interpolate(0.015, y);
  EXPECT_LT((y.head(3) - 0.5 * (before.head(3) + stepper->q())).norm(), 1e-3);
}

TEST_P(EveryConstrainedIntegrator, GoesOnFromAReplacedState) {
  const auto pendulum = planarDoublePendulum();
  const auto first = make(*pendulum, doublePendulumState(), 10, 0.01);
  for (int k = 0; k < 10; ++k) first->step();
  const auto second = make(*pendulum, doublePendulumState(), 10, 0.01);
  second->replaceState(first->state());
  first->step();
  second->step();
  EXPECT_LT((first->state() - second->state()).norm(), 1e-12);
}

TEST_P(EveryConstrainedIntegrator, AStepThatFailsSaysSoAndKeepsTheState) {
  const auto particle = boundedParticle();
  const auto stepper = make(*particle, Eigen::Vector2d(0, 1), 10, 0.3);
  stepper->step();
  stepper->step();
  try {
    for (int k = 0; k < 3; ++k) stepper->step();
    FAIL() << "beyond the domain at q = " << stepper->q();
  } catch (const SimulationError& error) {
    const std::string text = error.what(), name(GetParam().name);
    EXPECT_GE(error.time(), 0.6);
    EXPECT_EQ(text.find(name + " on 'bounded': the step of 0.3 from t = 0."), 0u) << text;
    EXPECT_NE(text.find("did not converge"), std::string::npos) << text;
    EXPECT_NE(text.find("residual"), std::string::npos) << text;
    EXPECT_NE(text.find("take a smaller step"), std::string::npos) << text;
    EXPECT_EQ(stepper->time(), error.time());
    EXPECT_TRUE(stepper->state().allFinite());
  }
}

TEST_P(EveryConstrainedIntegrator, RefusesAStartOffTheConstraints) {
  const auto pendulum = planarDoublePendulum();
  VectorX state = doublePendulumState();
  state[0] += 0.01;
  EXPECT_THROW(make(*pendulum, state, 1, 0.01), InputError);
  EXPECT_THROW(make(*pendulum, VectorX::Zero(5), 1, 0.01), InputError);
  EXPECT_THROW(make(*pendulum, doublePendulumState(), 1, 0.0), InputError);
}

// Energy changes by the work of the applied force, to round-off, in the schemes that conserve energy.
TEST_P(EveryConstrainedIntegrator, BalancesEnergyAndWork) {
  const std::string_view name = GetParam().name;
  if (name.find("midpoint") != name.npos) GTEST_SKIP() << "does not conserve energy";
  const auto pendulum = dampedPendulum();
  const auto stepper = make(*pendulum, Eigen::Vector4d(1, 0, 0, 0), 10, 0.02);
  const double initial = stepper->generalisedEnergy();
  for (int k = 0; k < 500; ++k) {
    stepper->step();
    ASSERT_NEAR(stepper->generalisedEnergy() - initial, stepper->appliedWork(), 1e-12);
  }
  EXPECT_LT(stepper->appliedWork(), -5.0);  // damping has done something
}

}  // namespace
}  // namespace polhode::constrained_stepper_test
