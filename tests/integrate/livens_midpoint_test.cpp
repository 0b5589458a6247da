#include "integrate/livens_midpoint.h"

#include "support/quaternion_top.h"
#include "system/named_system.h"

#include <gtest/gtest.h>

namespace polhode::livens_midpoint_test {
namespace {

using namespace test;

// MPL on the heavy top at t = 0.1, h = 0.001: reference in 80-bit arithmetic.
TEST(LivensMidpoint, HasTheKnownErrorOnTheHeavyTop) {
  const auto top = quaternionTop();
  LivensMidpoint stepper(*top, 0, steadyPrecessionState(), 0.1, 0.001);
  while (stepper.time() < 0.1) stepper.step();
  EXPECT_NEAR(steadyPrecessionError(0.1, stepper.q()), 0.0005644213879, 1e-12);
}

TEST(LivensMidpoint, KeepsQuadraticMomentumMapsButNotEnergy) {
  const auto top = quaternionTop();
  LivensMidpoint stepper(*top, 0, steadyPrecessionState(), 10, 0.005);
  const double momentum = angularMomentum(stepper.q(), stepper.p())[2], energy = stepper.generalisedEnergy();
  double worst = 0;
  for (int k = 0; k < 1000; ++k) {
    stepper.step();
    ASSERT_NEAR(angularMomentum(stepper.q(), stepper.p())[2], momentum, 1e-12 * momentum);
    worst = std::max(worst, std::abs(stepper.generalisedEnergy() - energy));
  }
  EXPECT_GT(worst, 1e-4 * energy);
}

}  // namespace
}  // namespace polhode::livens_midpoint_test
