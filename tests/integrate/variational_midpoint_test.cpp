#include "integrate/variational_midpoint.h"

#include "polhode/error.h"
#include "support/quaternion_top.h"
#include "system/named_system.h"

#include <gtest/gtest.h>

namespace polhode::variational_midpoint_test {
namespace {

using namespace test;

// On a quaternion body it is QUAT_VI: reference of the heavy top at t = 0.1, h = 0.001 in 80-bit arithmetic.
TEST(VariationalMidpoint, HasTheKnownErrorOnTheHeavyTop) {
  const auto top = quaternionTop();
  VariationalMidpoint stepper(*top, 0, steadyPrecessionState(), 0.1, 0.001);
  while (stepper.time() < 0.1) stepper.step();
  EXPECT_NEAR(steadyPrecessionError(0.1, stepper.q()), 0.0007200031597, 1e-12);
}

// QUAT_VI has no solution above h |Omega| = 1, for this top above h = 0.00711.
TEST(VariationalMidpoint, SaysThatTheTopTurnsTooFastForTheStep) {
  const auto top = quaternionTop();
  VariationalMidpoint stepper(*top, 0, steadyPrecessionState(), 0.1, 0.01);
  try {
    stepper.step();
    FAIL();
  } catch (const SimulationError& error) {
    EXPECT_NE(std::string(error.what()).find("turns by a radian or more in one step"), std::string::npos);
  }
}

TEST(VariationalMidpoint, KeepsConstraintsAndMomentumAndBoundsTheEnergyError) {
  const auto top = quaternionTop();
  VariationalMidpoint stepper(*top, 0, steadyPrecessionState(), 1e9, 0.002);
  const double momentum = angularMomentum(stepper.q(), stepper.p())[2], energy = stepper.totalEnergy();
  double early = 0, late = 0;
  for (int k = 0; k < 4000; ++k) {
    stepper.step();
    ASSERT_LT(stepper.velocityGap(), 1e-13);
    ASSERT_NEAR(angularMomentum(stepper.q(), stepper.p())[2], momentum, 1e-12 * momentum);
    (k < 2000 ? early : late) = std::max(k < 2000 ? early : late, std::abs(stepper.totalEnergy() - energy));
  }
  EXPECT_LT(late, 1.1 * early);
  EXPECT_LT(early, 1e-4 * energy);
}

}  // namespace
}  // namespace polhode::variational_midpoint_test
