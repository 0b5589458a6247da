#include "integrate/newton.h"

#include <gtest/gtest.h>

namespace polhode::newton_test {
namespace {

TEST(Newton, SolvesThreeUnknownsByCramersRule) {
  const Matrix3 K = (Matrix3() << 2.0, -1.0, 0.5, 0.3, 4.0, 1.0, -2.0, 0.1, 3.0).finished();
  const Vector3 f(1.0, 2.0, 3.0);
  EXPECT_LT((K * solveSmall<3>(K, f) - f).norm(), 1e-15);
}

// z^2 = 2 in each component: from 1.5 the corrections are 8e-2, 2e-3, 2e-6; the next would be 2e-12 and the
// one after it below round-off, so the fourth is the last.
TEST(Newton, StopsWhenTheNextCorrectionWouldBeRoundOff) {
  Vector3 z = Vector3::Constant(1.5);
  const StepReport report = newton<3>(
      z,
      [](const Vector3& at, Vector3& f, Matrix3& K) {
        f = at.cwiseProduct(at) - Vector3::Constant(2.0);
        K = (2.0 * at).asDiagonal();
      },
      [&](const Vector3& dz) { return relativeTo(0.0, z.norm(), dz.norm()); });
  EXPECT_TRUE(report.converged);
  EXPECT_EQ(report.iterations, 4);
  EXPECT_LT((z - Vector3::Constant(std::sqrt(2.0))).norm(), 1e-15);
}

TEST(Newton, SaysSoWhenThereIsNoSolution) {
  Vector3 z = Vector3::Constant(1.5);
  const StepReport report = newton<3>(
      z,
      [](const Vector3& at, Vector3& f, Matrix3& K) {
        f = at.cwiseProduct(at) + Vector3::Ones();
        K = (2.0 * at).asDiagonal();
      },
      [&](const Vector3& dz) { return relativeTo(1.0, z.norm(), dz.norm()); });
  EXPECT_FALSE(report.converged);
  EXPECT_GT(report.residual, 1e-6);
}

TEST(Newton, EndsAtOnceWhenTheEquationsAreNotDefined) {
  Vector3 z = Vector3::Constant(-1.0);
  const StepReport report = newton<3>(
      z,
      [](const Vector3& at, Vector3& f, Matrix3& K) {
        f = at.cwiseSqrt();
        K = Matrix3::Identity();
      },
      [](const Vector3& dz) { return dz.norm(); });
  EXPECT_FALSE(report.converged);
  EXPECT_EQ(report.iterations, 1);
}

}  // namespace
}  // namespace polhode::newton_test
