#include "integrate/livens_em_ggl.h"

#include "integrate/livens_em.h"
#include "polhode/error.h"
#include "support/quaternion_top.h"
#include "support/test_systems.h"
#include "system/named_system.h"

#include <gtest/gtest.h>

namespace polhode::livens_em_ggl_test {
namespace {

using namespace test;

TEST(LivensEmGgl, KeepsEnergyAndBothConstraintsOfAQuaternionTop) {
  const auto top = invariantTop();
  LivensEmGgl stepper(*top, 0, steadyPrecessionState(), 1e9, 0.002);
  const double initial = stepper.generalisedEnergy();
  for (int k = 0; k < 1000; ++k) {
    stepper.step();
    ASSERT_NEAR(stepper.generalisedEnergy(), initial, 1e-12 * initial);
    ASSERT_LT(stepper.positionGap(), 1e-15);
    ASSERT_LT(stepper.velocityGap(), 1e-15 * 150);  // 150: |v| is 70
  }
}

TEST(LivensEmGgl, ConservesEnergyOnTheModelProblems) {
  for (const NamedSystem& named : namedSystems()) {
    const auto system = named.make();
    LivensEmGgl stepper(*system, 0, named.initialState(), 1e9, named.step);
    const double initial = stepper.generalisedEnergy();
    for (int k = 0; k < 10000; ++k) stepper.step();
    EXPECT_NEAR(stepper.generalisedEnergy(), initial, 1e-12 * initial);
    EXPECT_LT(stepper.velocityGap(), 1e-14);
  }
}

// Stabilised or not, the error on the top is the same: 1356.85 h^2 at h = 0.001.
TEST(LivensEmGgl, IsAsAccurateAsLivensEm) {
  const auto top = invariantTop();
  LivensEmGgl stepper(*top, 0, steadyPrecessionState(), 0.1, 0.001);
  while (stepper.time() < 0.1) stepper.step();
  EXPECT_NEAR(steadyPrecessionError(0.1, stepper.q()), 1356.75e-6, 0.05e-6);
}

TEST(LivensEmGgl, IsLivensEmWithoutConstraints) {
  const NamedSystem& named = namedSystem("spring-pendulum");
  const auto system = named.make();
  LivensEmGgl stabilised(*system, 0, named.initialState(), 1, 0.01);
  LivensEm plain(*system, 0, named.initialState(), 1, 0.01, DiscreteGradient::chainRule);
  while (plain.time() < 1) {
    stabilised.step();
    plain.step();
  }
  EXPECT_LT((stabilised.state() - plain.state()).norm(), 1e-11);
}

TEST(LivensEmGgl, RefusesVelocitiesThatTheConstraintsForbid) {
  const auto pendulum = planarDoublePendulum();
  VectorX state = doublePendulumState();
  state[4] += 0.5;
  try {
    LivensEmGgl(*pendulum, 0, state, 1, 0.01);
    FAIL();
  } catch (const InputError& error) {
    EXPECT_NE(
        std::string(error.what()).find("initial velocities of 'planar-double-pendulum' violate a constraint by 0.4"),
        std::string::npos)
        << error.what();
  }
}

}  // namespace
}  // namespace polhode::livens_em_ggl_test
