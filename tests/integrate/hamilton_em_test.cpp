#include "integrate/hamilton_em.h"

#include "polhode/error.h"
#include "support/test_systems.h"
#include "system/named_system.h"

#include <gtest/gtest.h>

namespace polhode::hamilton_em_test {
namespace {

using namespace test;

TEST(HamiltonEm, ConservesTheHamiltonianToRoundOff) {
  const NamedSystem& named = namedSystem("spring-pendulum");
  const auto system = named.make();
  HamiltonEm stepper(*system, 0, named.initialState(), 1e9, named.step);
  const double initial = stepper.totalEnergy();
  for (int k = 0; k < 10000; ++k) {
    stepper.step();
    ASSERT_NEAR(stepper.totalEnergy(), initial, 1e-12 * initial);
    ASSERT_NEAR(stepper.generalisedEnergy(), initial, 1e-12 * initial);
  }
}

TEST(HamiltonEm, ConservesTheHamiltonianWithConstraints) {
  const auto pendulum = planarDoublePendulum();
  HamiltonEm stepper(*pendulum, 0, doublePendulumState(), 1e9, 0.02);
  const double initial = stepper.totalEnergy();
  for (int k = 0; k < 2000; ++k) stepper.step();
  EXPECT_NEAR(stepper.totalEnergy(), initial, 1e-12 * 50);  // 50: kinetic energies that are reached
}

TEST(HamiltonEm, RefusesASingularMassMatrix) {
  const NamedSystem& named = namedSystem("mass-spring");
  const auto system = named.make();
  EXPECT_THROW(HamiltonEm(*system, 0, named.initialState(), 1, 0.01), InputError);
}

}  // namespace
}  // namespace polhode::hamilton_em_test
