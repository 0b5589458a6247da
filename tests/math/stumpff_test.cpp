#include "math/stumpff.h"

#include "math/dual.h"
#include "math/random.h"

#include <gtest/gtest.h>

namespace polhode::stumpff_test {
namespace {

using test::cases, test::Random, test::roundOff;

/// sum_k (-x)^k/(2k + m)! in long double; for angles up to pi no term exceeds 5, so 18 digits remain.
long double series(int m, long double x) {
  long double term = 1;
  for (int n = 2; n <= m; ++n) term /= n;
  long double sum = 0;
  for (int k = 0; k < 40; ++k) {
    sum += term;
    term *= -x / ((2 * k + m + 1) * (2 * k + m + 2));
  }
  return sum;
}

void expectRelative(double value, long double expected, double tolerance, double angle) {
  EXPECT_NEAR(static_cast<double>(value / expected), 1.0, tolerance) << "angle " << angle;
}

// Relative to the value, for angles from 1e-12 to pi. Just above angle 1, a - sin(a) magnifies the rounding
// of the sine by sin(a)/(a - sin(a)) = 5.3; the others carry three roundings. Near pi, sin(a)/a is small and
// the rounding of sqrt(x) shows: relatively it is tested up to 3, and beyond in absolute terms.
TEST(Stumpff, relativeAccuracyAtAllAngles) {
  Random random;
  for (int k = 0; k < cases; ++k) {
    const double angle = random.angle();
    const double x = angle * angle;
    if (angle < 3) expectRelative(stumpff1(x), series(1, x), 16 * roundOff, angle);
    expectRelative(stumpff2(x), series(2, x), 8 * roundOff, angle);
    expectRelative(stumpff3(x), series(3, x), 8 * roundOff, angle);
    EXPECT_NEAR(stumpff0(x), static_cast<double>(series(0, x)), 4 * roundOff);
    EXPECT_NEAR(stumpff1(x), static_cast<double>(series(1, x)), 4 * roundOff);
  }
}

TEST(Stumpff, limitsAtZero) {
  EXPECT_EQ(stumpff0(0.0), 1);
  EXPECT_EQ(stumpff1(0.0), 1);
  EXPECT_EQ(stumpff2(0.0), 1.0 / 2);
  EXPECT_EQ(stumpff3(0.0), 1.0 / 6);
}

// c_m + x c_(m+2) = 1/m!, on both sides of the change from series to closed form.
TEST(Stumpff, recurrence) {
  Random random;
  for (int k = 0; k < cases; ++k) {
    const double x = random.uniform(0, 10);
    // x c_(m+2) is at most 2, with three roundings
    EXPECT_NEAR(stumpff0(x) + x * stumpff2(x), 1, 16 * roundOff);
    EXPECT_NEAR(stumpff1(x) + x * stumpff3(x), 1, 16 * roundOff);
  }
}

// dc_m/dx at zero is -1/(m + 2)!, from the series; the closed forms have none there.
TEST(Stumpff, derivativeAtZero) {
  const Dual<1> zero = Dual<1>::variable(0.0, 0);
  EXPECT_DOUBLE_EQ(stumpff0(zero).derivative()[0], -1.0 / 2);
  EXPECT_DOUBLE_EQ(stumpff1(zero).derivative()[0], -1.0 / 6);
  EXPECT_DOUBLE_EQ(stumpff2(zero).derivative()[0], -1.0 / 24);
  EXPECT_DOUBLE_EQ(stumpff3(zero).derivative()[0], -1.0 / 120);
}

}  // namespace
}  // namespace polhode::stumpff_test
