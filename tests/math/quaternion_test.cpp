#include "math/quaternion.h"

#include "math/euler_map.h"
#include "math/random.h"

#include <gtest/gtest.h>

namespace polhode::quaternion_test {
namespace {

using test::cases, test::distance, test::Random, test::roundOff;
using Matrix4 = Eigen::Matrix4d;

// Components are at most 1, so that a sum of four products is at most 4; a few roundings of that.
constexpr double tolerance = 16 * roundOff;

const Matrix3 I3 = Matrix3::Identity();
const Matrix4 I4 = Matrix4::Identity();

Eigen::Quaterniond eigen(const Quaternion& q) {
  return {q[0], q[1], q[2], q[3]};
}

TEST(Quaternion, productAgreesWithEigen) {
  Random random;
  for (int k = 0; k < cases; ++k) {
    const Quaternion p = random.matrix<4>(), q = random.matrix<4>();
    const Eigen::Quaterniond expected = eigen(p) * eigen(q);
    EXPECT_LT(distance(multiply(p, q), Quaternion(expected.w(), expected.x(), expected.y(), expected.z())), tolerance);
  }
}

TEST(Quaternion, matricesOfMultiplication_9) {
  Random random;
  for (int k = 0; k < cases; ++k) {
    const Quaternion p = random.matrix<4>(), q = random.matrix<4>();
    EXPECT_LT(distance(leftMatrix(p) * q, multiply(p, q)), tolerance);
    EXPECT_LT(distance(rightMatrix(q) * p, multiply(p, q)), tolerance);
  }
}

// Rearrangements of the same numbers: equal to the last bit.
TEST(Quaternion, partsOfTheMatrices_10_11) {
  Random random;
  for (int k = 0; k < cases; ++k) {
    const Quaternion q = random.matrix<4>();
    const Vector3 v = vectorPart(q);

    Matrix4 left, right;
    left << q, bodyMatrix(q).transpose();
    right << q, spaceMatrix(q).transpose();
    EXPECT_EQ(leftMatrix(q), left);
    EXPECT_EQ(rightMatrix(q), right);
    EXPECT_EQ(leftMatrix(q), q[0] * I4 + leftVectorMatrix(v));
    EXPECT_EQ(rightMatrix(q), q[0] * I4 + rightVectorMatrix(v));

    Eigen::Matrix<double, 3, 4> E, G;
    E << -v, q[0] * I3 + hat(v);
    G << -v, q[0] * I3 - hat(v);
    EXPECT_EQ(spaceMatrix(q), E);
    EXPECT_EQ(bodyMatrix(q), G);

    Matrix4 plus, minus;
    plus << 0, -v.transpose(), v, hat(v);
    minus << 0, -v.transpose(), v, -hat(v);
    EXPECT_EQ(leftVectorMatrix(v), plus);
    EXPECT_EQ(rightVectorMatrix(v), minus);
  }
}

TEST(Quaternion, annihilationAndLengths_A1) {
  Random random;
  for (int k = 0; k < cases; ++k) {
    const Quaternion q = random.matrix<4>();
    const auto E = spaceMatrix(q), G = bodyMatrix(q);
    const Matrix4 tangential = q.squaredNorm() * I4 - q * q.transpose();
    EXPECT_LT((E * q).norm(), tolerance);
    EXPECT_LT((G * q).norm(), tolerance);
    EXPECT_LT(distance(E * E.transpose(), q.squaredNorm() * I3), tolerance);
    EXPECT_LT(distance(G * G.transpose(), q.squaredNorm() * I3), tolerance);
    EXPECT_LT(distance(E.transpose() * E, tangential), tolerance);
    EXPECT_LT(distance(G.transpose() * G, tangential), tolerance);
  }
}

TEST(Quaternion, exchange_A2) {
  Random random;
  for (int k = 0; k < cases; ++k) {
    const Quaternion p = random.matrix<4>(), q = random.matrix<4>();
    EXPECT_LT(distance(spaceMatrix(q) * p, -spaceMatrix(p) * q), tolerance);
    EXPECT_LT(distance(bodyMatrix(q) * p, -bodyMatrix(p) * q), tolerance);
    EXPECT_LT(distance(spaceMatrix(q) * bodyMatrix(p).transpose(), spaceMatrix(p) * bodyMatrix(q).transpose()),
              tolerance);
  }
}

TEST(Quaternion, vectorMatrices_A3) {
  Random random;
  for (int k = 0; k < cases; ++k) {
    const Quaternion q = random.matrix<4>();
    const Vector3 a = random.matrix<3>();
    EXPECT_LT(distance(leftVectorMatrix(a) * q, spaceMatrix(q).transpose() * a), tolerance);
    EXPECT_LT(distance(rightVectorMatrix(a) * q, bodyMatrix(q).transpose() * a), tolerance);
  }
}

TEST(Quaternion, inverses_A4) {
  Random random;
  for (int k = 0; k < cases; ++k) {
    const Quaternion q = random.matrix<4>();
    const double square = q.squaredNorm();
    EXPECT_LT(distance(leftMatrix(q).transpose() * leftMatrix(q), square * I4), tolerance);
    EXPECT_LT(distance(rightMatrix(q).transpose() * rightMatrix(q), square * I4), tolerance);
    EXPECT_EQ(leftMatrix(q).transpose(), leftMatrix(conjugate(q)));
    EXPECT_EQ(rightMatrix(q).transpose(), rightMatrix(conjugate(q)));
  }
}

TEST(Quaternion, productsOfVectorMatrices_A5) {
  Random random;
  for (int k = 0; k < cases; ++k) {
    const Vector3 a = random.matrix<3>(), b = random.matrix<3>(), c = a.cross(b);
    Matrix4 ofCross;
    ofCross << 0, c.transpose(), -c, hat(c);
    const Matrix4 isotropic = -a.dot(b) * I4;
    // (0, q) o a o b: the right matrices compose in reverse order
    EXPECT_LT(distance(rightVectorMatrix(a) * rightVectorMatrix(b), isotropic + ofCross), tolerance);
    EXPECT_LT(distance(rightVectorMatrix(a) * rightVectorMatrix(b), isotropic - rightVectorMatrix(c)), tolerance);
    EXPECT_LT(distance(leftVectorMatrix(a) * leftVectorMatrix(b), isotropic + leftVectorMatrix(c)), tolerance);
  }
}

TEST(Quaternion, exponentialOfVectorMatrix_A6) {
  Random random;
  for (int k = 0; k < cases; ++k) {
    const Vector3 w = 3 * random.matrix<3>();
    const Matrix4 half = leftVectorMatrix(w) / 2;
    Matrix4 series = I4, term = I4;
    for (int n = 1; n < 40; ++n) {
      term = term * half / n;
      series += term;
    }
    const double angle = w.norm();
    const Matrix4 closed = std::cos(angle / 2) * I4 + std::sin(angle / 2) / angle * leftVectorMatrix(w);
    // the largest term of the series is 2.6^2/2 = 3.4, hence the tolerance of sums of size 4
    EXPECT_LT(distance(series, closed), tolerance);
  }
}

TEST(Quaternion, rotationIsSpaceTimesBodyMatrix) {
  Random random;
  for (int k = 0; k < cases; ++k) {
    const Quaternion q = random.matrix<4>();
    EXPECT_LT(distance(spaceMatrix(q) * bodyMatrix(q).transpose(), rotationMatrix(q)), tolerance);
  }
}

TEST(Quaternion, angularVelocities) {
  Random random;
  for (int k = 0; k < cases; ++k) {
    const Quaternion q = random.unitQuaternion();
    const Vector3 Omega = random.matrix<3>();
    const Quaternion rate = multiply(q, pureQuaternion(Omega)) / 2;
    EXPECT_LT(distance(2 * bodyMatrix(q) * rate, Omega), tolerance);
    EXPECT_LT(distance(2 * spaceMatrix(q) * rate, rotationMatrix(q) * Omega), tolerance);
  }
}

TEST(Quaternion, positiveScalarIsTheSameRotation) {
  Random random;
  for (int k = 0; k < cases; ++k) {
    const Quaternion q = random.unitQuaternion();
    EXPECT_GE(withPositiveScalar(q)[0], 0);
    EXPECT_EQ(rotationMatrix(withPositiveScalar(q)), rotationMatrix(q));  // even in q: equal to the last bit
  }
}

}  // namespace
}  // namespace polhode::quaternion_test
