#include "math/spurrier_klumpp.h"

#include "math/euler_map.h"
#include "math/random.h"

#include <gtest/gtest.h>

namespace polhode::spurrier_klumpp_test {
namespace {

using test::cases, test::distance, test::Random, test::roundOff;

// Entries of R carry one rounding each, and are divided by a number that is at least 4/2.
constexpr double tolerance = 8 * roundOff;

/// A unit quaternion whose component `largest` is the largest in size.
Quaternion withLargest(int largest, Random& random) {
  Quaternion q = random.unitQuaternion();
  int found;
  q.cwiseAbs().maxCoeff(&found);
  std::swap(q[found], q[largest]);
  return q;
}

class SpurrierKlumpp : public testing::TestWithParam<int> {};

TEST_P(SpurrierKlumpp, findsTheQuaternion) {
  Random random;
  for (int k = 0; k < cases; ++k) {
    const Quaternion expected = withLargest(GetParam(), random);
    const Quaternion found = quaternionFromRotation(rotationMatrix(expected));
    EXPECT_GE(found[GetParam()], 0.5 - tolerance);
    EXPECT_LT(distance(found, expected[GetParam()] > 0 ? expected : -expected), tolerance);
  }
}

TEST_P(SpurrierKlumpp, isExactForTheHalfTurnAndTheIdentity) {
  const Quaternion unit = Quaternion::Unit(GetParam());
  EXPECT_EQ(quaternionFromRotation(rotationMatrix(unit)), unit);
}

// Near SO(3) the raw result keeps the drift: what comes out is not of unit length.
TEST_P(SpurrierKlumpp, leavesTheDriftInTheLength) {
  Random random;
  const double drift = 1e-3;
  for (int k = 0; k < cases; ++k) {
    const Quaternion expected = withLargest(GetParam(), random);
    const Matrix3 drifted = rotationMatrix(expected) + drift * random.matrix<3, 3>();
    const Quaternion raw = quaternionFromRotation(drifted), unit = unitQuaternionFromRotation(drifted);
    EXPECT_GT(std::abs(raw.norm() - 1), roundOff);
    EXPECT_NEAR(unit.norm(), 1, 2 * roundOff);
    EXPECT_LT(distance(unit * raw.norm(), raw), tolerance);
    // each component changes by a few entries of the drift over 4 times the largest component; the sign is that
    // of the largest one after the drift
    EXPECT_LT(distance(unit, unit.dot(expected) > 0 ? expected : -expected), 5 * drift);
  }
}

INSTANTIATE_TEST_SUITE_P(Branch, SpurrierKlumpp, testing::Values(0, 1, 2, 3));

TEST(SpurrierKlumppArgument, takesExpressions) {
  Random random;
  const Matrix3 A = random.rotation(), B = random.rotation();
  EXPECT_EQ(quaternionFromRotation(A * B), quaternionFromRotation((A * B).eval()));
}

}  // namespace
}  // namespace polhode::spurrier_klumpp_test
