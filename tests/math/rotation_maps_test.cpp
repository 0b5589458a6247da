#include "math/rotation_maps.h"

#include "math/dual.h"
#include "math/random.h"

#include <gtest/gtest.h>

namespace polhode::rotation_maps_test {
namespace {

using std::numbers::pi;
using test::cases, test::distance, test::Random, test::roundOff;
using LongMatrix = Eigen::Matrix<long double, 3, 3>;

// Entries are at most 1 and come from three or four roundings.
constexpr double tolerance = 8 * roundOff;

/// A rotation vector whose angle is spread evenly over the powers of ten from 1e-12 to pi.
Vector3 rotationVector(Random& random) {
  return random.angle() * random.direction<3>();
}

/// sum_k theta^^k / (k + shift)!: the exponential for shift 0, its space tangent H for shift 1.
LongMatrix exponentialSeries(const Vector3& theta, int shift) {
  const LongMatrix skew = hat(theta).cast<long double>();
  LongMatrix sum = LongMatrix::Identity(), term = sum;
  for (int k = 1; k < 40; ++k) {
    term = term * skew / (k + shift);
    sum += term;
  }
  return sum;
}

/// How well the skew part of a matrix agrees, relative to its own size: this sees tiny angles.
double relativeSkewError(const Matrix3& value, const LongMatrix& expected) {
  const auto skewPart = [](const LongMatrix& A) { return LongMatrix(A - A.transpose()); };
  const LongMatrix difference = skewPart(value.cast<long double>()) - skewPart(expected);
  return static_cast<double>(difference.norm() / skewPart(expected).norm());
}

/// The vector a with hat(a) = A.
Vector3 axial(const Matrix3& A) {
  return Vector3(A(2, 1) - A(1, 2), A(0, 2) - A(2, 0), A(1, 0) - A(0, 1)) / 2;
}

/// The matrix H with d map(a) = hat(H da) map(a), by dual numbers.
template <class Map>
Matrix3 spaceTangentByDualNumbers(Map map, const Vector3& a) {
  const auto differential = jacobian([&](const auto& x) { return map(x).reshaped().eval(); }, a);
  Matrix3 tangent;
  for (int k = 0; k < 3; ++k) {
    const Matrix3 rate = differential.col(k).reshaped(3, 3);
    tangent.col(k) = axial(rate * map(a).transpose());
  }
  return tangent;
}

const auto exponential = [](const auto& theta) { return expSO3(theta); };
const auto cayley = [](const auto& c) { return cayleySO3(c); };

TEST(ExponentialMap, agreesWithItsSeries) {
  Random random;
  for (int k = 0; k < cases; ++k) {
    const Vector3 theta = rotationVector(random);
    const LongMatrix expected = exponentialSeries(theta, 0);
    EXPECT_LT(distance(expSO3(theta), expected.cast<double>()), tolerance);
    // the skew part is sin(angle): relatively accurate, unless it vanishes at pi
    if (theta.norm() < 3) {
      EXPECT_LT(relativeSkewError(expSO3(theta), expected), 32 * roundOff);
    }
  }
}

TEST(ExponentialMap, quaternionCoversRotation) {
  Random random;
  for (int k = 0; k < cases; ++k) {
    const Vector3 theta = rotationVector(random);
    EXPECT_NEAR(expS3(theta).norm(), 1, tolerance);
    EXPECT_LT(distance(rotationMatrix(expS3(theta)), expSO3(theta)), tolerance);
  }
}

TEST(ExponentialMap, identityAtZero) {
  const Vector3 zero = Vector3::Zero();
  EXPECT_EQ(expS3(zero), Quaternion(1, 0, 0, 0));
  EXPECT_EQ(expSO3(zero), Matrix3::Identity());
  EXPECT_EQ(logS3(Quaternion(1, 0, 0, 0)), zero);
  EXPECT_EQ(logSO3(Matrix3(Matrix3::Identity())), zero);
}

// Relative to the angle, which goes down to 1e-12.
TEST(Logarithm, invertsTheExponential) {
  Random random;
  for (int k = 0; k < cases; ++k) {
    const Vector3 theta = rotationVector(random);
    const double bound = tolerance * theta.norm();
    EXPECT_LT(distance(logS3(expS3(theta)), theta), bound);
    // nearer to pi a rounding may choose the opposite axis, which is no fault
    if (theta.norm() < 3.1) {
      EXPECT_LT(distance(logSO3(expSO3(theta)), theta), bound);
    }
  }
}

TEST(Logarithm, ofQuaternionsReachesAFullTurn) {
  Random random;
  for (int k = 0; k < cases; ++k) {
    const Vector3 theta = random.uniform(pi, 2 * pi - 0.1) * random.direction<3>();
    // the axis is v/|v| with |v| = sin(angle/2) >= 0.05, which magnifies the roundings by 20
    EXPECT_LT(distance(logS3(expS3(theta)), theta), 20 * tolerance * theta.norm());
    EXPECT_LE(logSO3(expSO3(theta)).norm(), pi + tolerance);
  }
  EXPECT_EQ(logS3(Quaternion(-1, 0, 0, 0)), Vector3(2 * pi, 0, 0));
}

TEST(Logarithm, ofHalfTurns) {
  Random random;
  for (int k = 0; k < cases; ++k) {
    const Matrix3 R = expSO3(Vector3(pi * random.direction<3>()));
    EXPECT_NEAR(logSO3(R).norm(), pi, 4 * tolerance);
    EXPECT_LT(distance(expSO3(logSO3(R)), R),
              4 * tolerance);  // the angle is about 3, and so are its roundings
  }
}

TEST(ExponentialTangent, agreesWithItsSeries) {
  Random random;
  for (int k = 0; k < cases; ++k) {
    const Vector3 theta = rotationVector(random);
    const LongMatrix H = exponentialSeries(theta, 1);
    EXPECT_LT(distance(expSpaceTangent(theta), H.cast<double>()), tolerance);
    EXPECT_LT(relativeSkewError(expSpaceTangent(theta), H), 32 * roundOff);
  }
}

TEST(ExponentialTangent, isTheDerivative) {
  Random random;
  for (int k = 0; k < cases; ++k) {
    const Vector3 theta = rotationVector(random);
    const Matrix3 H = expSpaceTangent(theta);
    // the dual numbers differentiate the closed forms, which cancel a little just above angle 1
    EXPECT_LT(distance(H, spaceTangentByDualNumbers(exponential, theta)), 4 * tolerance);
  }
}

TEST(ExponentialTangent, atZero) {
  const Vector3 zero = Vector3::Zero();
  EXPECT_EQ(expSpaceTangent(zero), Matrix3::Identity());
  EXPECT_EQ(spaceTangentByDualNumbers(exponential, zero), Matrix3::Identity());
  const auto ofLogarithm = jacobian([](const auto& q) { return logS3(q); }, Quaternion(1, 0, 0, 0));
  EXPECT_EQ((ofLogarithm.rightCols<3>()), 2 * Matrix3::Identity());
}

TEST(CayleyMap, isTheQuotient) {
  Random random;
  for (int k = 0; k < cases; ++k) {
    const Vector3 c = rotationVector(random);
    const Matrix3 I = Matrix3::Identity();
    const Matrix3 quotient = (I - hat(c) / 2).inverse() * (I + hat(c) / 2);
    EXPECT_LT(distance(cayleySO3(c), quotient), 2 * tolerance);  // the reference carries an inversion
  }
}

TEST(CayleyMap, turnsByTwiceTheArcTangent) {
  Random random;
  for (int k = 0; k < cases; ++k) {
    const Vector3 theta = random.uniform(0, 3) * random.direction<3>();
    const Vector3 c = 2 * std::tan(theta.norm() / 2) * theta.normalized();
    EXPECT_LT(distance(cayleySO3(c), expSO3(theta)), tolerance);
  }
}

// The identity for which the director schemes use it: R1 - R0 = c^ (R0 + R1)/2.
TEST(CayleyMap, incrementActsOnTheMeanDirectors) {
  Random random;
  for (int k = 0; k < cases; ++k) {
    const Vector3 c = rotationVector(random);
    const Matrix3 R0 = random.rotation(), R1 = cayleySO3(c) * R0;
    EXPECT_LT(distance(R1 - R0, hat(c) * (R0 + R1) / 2), 2 * tolerance);
  }
}

TEST(CayleyTangent, isTheInverseOfTheDerivative) {
  Random random;
  for (int k = 0; k < cases; ++k) {
    const Vector3 c = rotationVector(random);
    EXPECT_LT(distance(spaceTangentByDualNumbers(cayley, c) * cayleySpaceTangentInverse(c), Matrix3::Identity()),
              4 * tolerance);
  }
}

}  // namespace
}  // namespace polhode::rotation_maps_test
