#include "math/projection.h"

#include "math/random.h"
#include "polhode/error.h"

#include <gtest/gtest.h>

namespace polhode::projection_test {
namespace {

using test::cases, test::distance, test::Random, test::roundOff;

// Results are rotations with entries up to 1, or velocities of that size; some ten operations.
constexpr double tolerance = 16 * roundOff;

/// How far a matrix is from being a rotation.
double rotationDefect(const Matrix3& R) {
  return distance(R.transpose() * R, Matrix3::Identity()) + std::abs(R.determinant() - 1);
}

/// How far a velocity is from R times a skew matrix.
double tangentDefect(const Matrix3& R, const Matrix3& velocity) {
  const Matrix3 inBody = R.transpose() * velocity;
  return (inBody + inBody.transpose()).norm();
}

Matrix3 nearestBySingularValues(const Matrix3& A) {
  const Eigen::JacobiSVD<Matrix3> svd(A, Eigen::ComputeFullU | Eigen::ComputeFullV);
  return svd.matrixU() * svd.matrixV().transpose();
}

TEST(QuaternionProjection, landsOnTheSphereAndItsTangent_63) {
  Random random;
  for (int k = 0; k < cases; ++k) {
    const Quaternion drifted = random.uniform(0.5, 2) * random.unitQuaternion();
    const Quaternion p = projectQuaternion(drifted), velocity = random.matrix<4>();
    const Quaternion tangential = projectQuaternionVelocity(p, velocity);
    EXPECT_NEAR(p.norm(), 1, 2 * roundOff);
    EXPECT_NEAR(p.dot(tangential), 0, tolerance);
    EXPECT_LT(distance(p * drifted.norm(), drifted), tolerance);
    EXPECT_LT(distance(p * p.dot(velocity), velocity - tangential),
              tolerance);  // removes the radial part only
  }
}

TEST(FrameProjection, landsOnTheRotationsAndTheirTangent) {
  Random random;
  for (int k = 0; k < cases; ++k) {
    const Matrix3 drifted = random.rotation() + 0.05 * random.matrix<3, 3>();
    const Matrix3 driftedVelocity = random.matrix<3, 3>();
    for (const auto& [R, velocity] :
         {projectFrameExplicitly(drifted, driftedVelocity), projectFrameToNearest(drifted, driftedVelocity)}) {
      EXPECT_LT(rotationDefect(R), tolerance);
      EXPECT_LT(tangentDefect(R, velocity), tolerance);
    }
    EXPECT_EQ(projectFrameExplicitly(drifted), projectFrameExplicitly(drifted, driftedVelocity).frame);
  }
}

TEST(FrameProjection, leavesRotationsAndTheirMotionAlone) {
  Random random;
  for (int k = 0; k < cases; ++k) {
    const Matrix3 R = random.rotation();
    const Matrix3 velocity = R * hat(Vector3(random.matrix<3>()));
    const auto explicitly = projectFrameExplicitly(R, velocity);
    const auto nearest = projectFrameToNearest(R, velocity);
    EXPECT_LT(distance(explicitly.frame, R), tolerance);
    EXPECT_LT(distance(explicitly.velocity, velocity), tolerance);
    EXPECT_LT(distance(nearest.frame, R), tolerance);
    EXPECT_LT(distance(nearest.velocity, velocity), tolerance);
  }
}

// Far from the rotations too: any right-handed frame, here with condition numbers up to 1e4.
TEST(FrameProjection, nearestAgreesWithTheSingularValues) {
  Random random;
  for (int k = 0; k < cases; ++k) {
    const Vector3 stretches(random.uniform(1e-2, 1), random.uniform(1, 10), random.uniform(10, 100));
    const Matrix3 A = random.rotation() * stretches.asDiagonal() * random.rotation();
    const Matrix3 R = projectFrameToNearest(A);
    EXPECT_LT(rotationDefect(R), tolerance);
    // R moves by 2 |dA| over the sum of the two smallest stretches, which is at least 1; |dA| is 100
    // roundings
    EXPECT_LT(distance(R, nearestBySingularValues(A)), 100 * tolerance);
  }
}

TEST(FrameProjection, nearestIsNearerThanTheExplicitOne) {
  Random random;
  for (int k = 0; k < cases; ++k) {
    const Matrix3 drifted = random.rotation() + 0.05 * random.matrix<3, 3>();
    EXPECT_LT((projectFrameToNearest(drifted) - drifted).norm(), (projectFrameExplicitly(drifted) - drifted).norm());
  }
}

// Lang's lemma 6.2 says that the explicit projection is orthogonal. It is not: a symmetric drift R (I + e S),
// which is normal to SO(3), moves it by an amount of first order in e, while the nearest rotation stays R.
TEST(FrameProjection, explicitAndNearestDifferAtFirstOrder) {
  Random random;
  for (int k = 0; k < cases; ++k) {
    const Matrix3 R = random.rotation(), A = random.matrix<3, 3>(), S = A + A.transpose();
    const auto drifted = [&](double size) { return Matrix3(R * (Matrix3::Identity() + size * S)); };

    EXPECT_LT(distance(projectFrameToNearest(drifted(1e-4)), R), tolerance);

    const double coarse = distance(projectFrameExplicitly(drifted(1e-4)), R);
    const double fine = distance(projectFrameExplicitly(drifted(1e-5)), R);
    EXPECT_GT(coarse, 1e-7);  // of the drift at least a thousandth
    // ten times less drift, ten times less motion; the second order, 1e-4 of the first, may be larger where
    // the first happens to be small
    EXPECT_NEAR(coarse / fine, 10, 1);
  }
}

TEST(FrameProjection, velocityOfTheExplicitAlgorithmIsTheOrthogonalOne) {
  Random random;
  for (int k = 0; k < cases; ++k) {
    const Matrix3 drifted = random.rotation() + 0.05 * random.matrix<3, 3>(), velocity = random.matrix<3, 3>();
    const auto projected = projectFrameExplicitly(drifted, velocity);
    EXPECT_LT(distance(projected.velocity, projectFrameVelocity(projected.frame, velocity)), tolerance);
    // what is taken away has no part in the tangent space
    const Matrix3 removed = projected.frame.transpose() * (velocity - projected.velocity);
    EXPECT_LT(distance(removed, removed.transpose()), tolerance);
  }
}

TEST(FrameProjection, refusesWhatHasNoNearestRotation) {
  const Matrix3 mirrored = Vector3(1, 1, -1).asDiagonal(), flat = Vector3(1, 1, 0).asDiagonal();
  EXPECT_THROW(projectFrameToNearest(mirrored), InputError);
  EXPECT_THROW(projectFrameToNearest(flat), InputError);
  EXPECT_THROW(projectFrameToNearest(Matrix3::Constant(NAN)), InputError);
}

}  // namespace
}  // namespace polhode::projection_test
