#include "math/quick_power.h"

#include <cmath>

#include <gtest/gtest.h>

namespace polhode::quick_power_test {
namespace {

TEST(QuickPower, FiveDigits) {
  for (const double p : {-0.0875, -0.0625, 0.02, 0.0, 0.3}) {
    const QuickPower power(p);
    for (double x = 1e-38; x < 1.0; x *= 1.00137) EXPECT_NEAR(power(x) / std::pow(x, p), 1.0, 5e-6) << x << "^" << p;
    EXPECT_NEAR(power(1.0), 1.0, 5e-6);
  }
}

TEST(QuickPower, OfZeroIsThatOfAVerySmallNumber) {
  EXPECT_GT(QuickPower(-0.0625)(0.0), 100.0);
  EXPECT_LT(QuickPower(0.0625)(0.0), 0.01);
}

}  // namespace
}  // namespace polhode::quick_power_test
