#include "polhode/math/approximate.h"

#include <cmath>

#include <gtest/gtest.h>

namespace polhode {
namespace {

TEST(Approximate, LogarithmToFiveDigits) {
  for (double x = 1e-100; x < 1e10; x *= 1.0137) EXPECT_NEAR(approximateLog2(x), std::log2(x), 1e-5) << x;
}

TEST(Approximate, ExponentialToFiveDigits) {
  for (double x = -300.0; x < 300.0; x += 0.0173) EXPECT_NEAR(approximateExp2(x) / std::exp2(x), 1.0, 5e-6) << x;
}

}  // namespace
}  // namespace polhode
