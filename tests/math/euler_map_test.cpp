#include "math/euler_map.h"

#include "math/dual.h"
#include "math/random.h"

#include <gtest/gtest.h>

namespace polhode::euler_map_test {
namespace {

using test::cases, test::distance, test::Random, test::roundOff;

// Sums of at most nine products of numbers up to 4; a few roundings of the largest.
constexpr double tolerance = 64 * roundOff;

/// tau_d: the directors' rates for the three unit angular velocities in the body frame, R' = R hat(e_n).
Eigen::Matrix<double, 9, 3> directorTangents(const Matrix3& R) {
  Eigen::Matrix<double, 9, 3> tangents;
  for (int n = 0; n < 3; ++n) tangents.col(n) = (R * hat(Vector3(Vector3::Unit(n)))).eval().reshaped();
  return tangents;
}

/// Any quaternion, not close to zero.
Quaternion stretched(Random& random) {
  return random.uniform(0.5, 2.0) * random.unitQuaternion();
}

TEST(EulerMap, isConjugation_47) {
  Random random;
  for (int k = 0; k < cases; ++k) {
    const Quaternion p = stretched(random);
    for (int n = 0; n < 3; ++n) {
      const Vector3 axis = Vector3::Unit(n);
      const Quaternion image = multiply(multiply(p, pureQuaternion(axis)), conjugate(p));
      EXPECT_NEAR(image[0], 0, tolerance);
      EXPECT_LT(distance(directors(p).segment<3>(3 * n), vectorPart(image)), tolerance);
    }
  }
}

TEST(EulerMap, agreesWithEigenOnTheUnitSphere) {
  Random random;
  for (int k = 0; k < cases; ++k) {
    const Quaternion p = random.unitQuaternion();
    EXPECT_LT(distance(rotationMatrix(p), Eigen::Quaterniond(p[0], p[1], p[2], p[3]).toRotationMatrix()), tolerance);
  }
}

TEST(EulerMap, isARotationStretchedByTheSquaredLength) {
  Random random;
  for (int k = 0; k < cases; ++k) {
    const Quaternion p = stretched(random);
    const Matrix3 R = rotationMatrix(p) / p.squaredNorm();
    EXPECT_LT(distance(R.transpose() * R, Matrix3::Identity()), tolerance);
    EXPECT_NEAR(R.determinant(), 1, tolerance);
  }
}

TEST(EulerMap, differential_48) {
  Random random;
  for (int k = 0; k < cases; ++k) {
    const Quaternion p = stretched(random);
    const auto byDualNumbers = jacobian([](const auto& q) { return directors(q); }, p);
    EXPECT_LT(distance(directorsDifferential(p), byDualNumbers), tolerance);
  }
}

TEST(EulerMap, tangentVectorsMapToEachOther_53) {
  Random random;
  for (int k = 0; k < cases; ++k) {
    const Quaternion p = random.unitQuaternion();
    const Eigen::Matrix<double, 4, 3> quaternionTangents = bodyMatrix(p).transpose() / 2;
    const Eigen::Matrix<double, 9, 3> tangents = directorTangents(rotationMatrix(p));
    EXPECT_LT(distance(directorsDifferential(p) * quaternionTangents, tangents), tolerance);
    EXPECT_LT(distance(directorsPseudoInverse(p) * tangents, quaternionTangents), tolerance);
  }
}

// Lang prints Dphi(p) p = phi(p); phi is homogeneous of degree two, so Euler's theorem asks for the factor 2.
TEST(EulerMap, radialDirection_54) {
  Random random;
  for (int k = 0; k < cases; ++k) {
    const Quaternion p = stretched(random);
    EXPECT_LT(distance(directorsDifferential(p) * p, 2 * directors(p)), tolerance);
    EXPECT_LT(distance(directorsPseudoInverse(p) * directors(p), p / 2), tolerance);
  }
}

TEST(EulerMap, pseudoInverse_55) {
  Random random;
  for (int k = 0; k < cases; ++k) {
    const Quaternion p = stretched(random);
    const Eigen::Matrix<double, 9, 4> D = directorsDifferential(p);
    const Eigen::Matrix<double, 4, 9> inverse = directorsPseudoInverse(p);
    EXPECT_LT(distance(inverse * D, Eigen::Matrix4d::Identity()), tolerance);
    // symmetric, which makes it the inverse of Moore and Penrose
    EXPECT_LT(distance(D * inverse, (D * inverse).transpose()), tolerance);
  }
}

TEST(EulerMap, normalMatrix_56) {
  Random random;
  for (int k = 0; k < cases; ++k) {
    const Quaternion p = stretched(random);
    const Eigen::Matrix<double, 9, 4> D = directorsDifferential(p);
    const Eigen::Matrix4d expected = 4 * (2 * p.squaredNorm() * Eigen::Matrix4d::Identity() + p * p.transpose());
    // entries up to 48
    EXPECT_LT(distance(D.transpose() * D, expected), 256 * roundOff);
  }
}

}  // namespace
}  // namespace polhode::euler_map_test
