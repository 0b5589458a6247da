#include "integrate/lagrange_em.h"

#include "integrate/livens_em.h"
#include "support/quaternion_top.h"
#include "system/named_system.h"

#include <gtest/gtest.h>

namespace polhode::lagrange_em_test {
namespace {

using namespace test;

// T + V itself, for a singular mass matrix and for one that depends on q, 10000 steps each.
TEST(LagrangeEm, ConservesTotalEnergyToRoundOff) {
  for (const NamedSystem& named : namedSystems())
    for (const auto kind : {DiscreteGradient::gonzalez, DiscreteGradient::chainRule}) {
      const auto system = named.make();
      LagrangeEm stepper(*system, 0, named.initialState(), 1e9, named.step, kind);
      const double initial = stepper.totalEnergy();
      for (int k = 0; k < 10000; ++k) {
        stepper.step();
        ASSERT_NEAR(stepper.totalEnergy(), initial, 1e-12 * initial) << named.name;
      }
    }
}

// Singular and dependent on q at once: where EML's total energy jumps by 6e-3 of itself at this step, this
// one stays.
TEST(LagrangeEm, ConservesTotalEnergyOfAQuaternionTop) {
  const auto top = quaternionTop();
  LagrangeEm stepper(*top, 0, steadyPrecessionState(), 1e9, 0.002);
  const double initial = stepper.totalEnergy();
  for (int k = 0; k < 1000; ++k) {
    stepper.step();
    ASSERT_NEAR(stepper.totalEnergy(), initial, 1e-12 * initial);
  }
}

TEST(LagrangeEm, KeepsTheMomentumOfACyclicCoordinate) {
  const NamedSystem& named = namedSystem("spring-pendulum");
  const auto system = named.make();
  LagrangeEm stepper(*system, 0, named.initialState(), 100, 0.01);
  const double initial = stepper.p()[2];
  for (int k = 0; k < 1000; ++k) stepper.step();
  EXPECT_NEAR(stepper.p()[2], initial, 1e-12);
}

// Kinon & Betsch, remark 4.7: with constant mass EML is a scheme in velocities, this one.
TEST(LagrangeEm, IsLivensEmForConstantMass) {
  const NamedSystem& named = namedSystem("mass-spring");
  const auto system = named.make();
  LagrangeEm lagrange(*system, 0, named.initialState(), 10, 0.1, DiscreteGradient::gonzalez);
  LivensEm livens(*system, 0, named.initialState(), 10, 0.1);
  while (livens.time() < 10) {
    lagrange.step();
    livens.step();
    ASSERT_LT((lagrange.q() - livens.q()).norm(), 1e-12);
  }
}

}  // namespace
}  // namespace polhode::lagrange_em_test
