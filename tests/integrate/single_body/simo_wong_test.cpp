#include "integrate/single_body/simo_wong.h"

#include "integrate/single_body/cases.h"

#include <gtest/gtest.h>

namespace polhode::single_body::simo_wong_test {
namespace {

// R1 = R0 exp(h/2 (Omega0 + Omega1)) and the balance of momentum, with steps on both sides of the series in
// angleRatio.
TEST(SimoWong, SatisfiesTheEquationsAsPrinted) {
  const Case body = asymmetricTop();
  const SimoWong scheme(body.top);
  for (const double h : {1e-3, 0.08, 0.09, 0.3}) {
    TopState s1 = body.start;
    ASSERT_TRUE(scheme.step(s1, h).converged);
    const Vector3 theta = 0.5 * h * (body.start.Omega + s1.Omega);
    const Eigen::AngleAxisd turn(theta.norm(), theta.normalized());
    const Matrix3 R0 = rotationMatrix(body.start.q), R1 = rotationMatrix(s1.q);
    EXPECT_LT((R1 - R0 * turn.toRotationMatrix()).norm(), 2e-15) << h;

    const Vector3& J = body.top.inertia;
    const Vector3 torque = Vector3(0.5 * (R0 + R1) * body.top.moment).cross(body.top.gravity);
    const Vector3 change = R1 * J.cwiseProduct(s1.Omega) - R0 * J.cwiseProduct(body.start.Omega);
    EXPECT_LT((change - h * torque).norm(), 1e-14) << h;
  }
}

TEST(SimoWong, LosesEnergyUnderGravityOnly) {
  const Case body = asymmetricTop();
  TopData free = body.top;
  free.gravity.setZero();
  const SimoWong heavy(body.top), light(free);
  TopState a = body.start, b = body.start;
  for (int i = 0; i < 50; ++i) {
    ASSERT_TRUE(heavy.step(a, 0.05).converged);
    ASSERT_TRUE(light.step(b, 0.05).converged);
  }
  EXPECT_GT(std::abs(heavy.energy(a) / heavy.energy(body.start) - 1.0), 1e-6);
  EXPECT_LT(std::abs(light.energy(b) / light.energy(body.start) - 1.0), 1e-14);
}

}  // namespace
}  // namespace polhode::single_body::simo_wong_test
