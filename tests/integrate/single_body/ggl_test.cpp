#include "integrate/single_body/ggl.h"

#include "integrate/single_body/cases.h"
#include "integrate/single_body/null_eml.h"

#include <gtest/gtest.h>

namespace polhode::single_body::ggl_test {
namespace {

// The equations of ggl.h in space, with mu and kappa found from the states.
TEST(Ggl, SatisfiesItsEquations) {
  const Case body = asymmetricTop();
  const Ggl scheme(body.top);
  auto s0 = scheme.start(body.start);
  const double h = 0.05;
  for (int i = 0; i < 5; ++i) ASSERT_TRUE(scheme.step(s0, h).converged);
  auto s1 = s0;
  ASSERT_TRUE(scheme.step(s1, h).converged);

  const Quaternion v = 0.5 * (s0.v() + s1.v()), p = 0.5 * (s0.p() + s1.p()), q = 0.5 * (s0.q + s1.q);
  const Vector3 M = body.top.inertia.cwiseProduct(bodyMatrix(s0.q) * s0.v() + bodyMatrix(s1.q) * s1.v());
  const double mu = -q.dot(v) / q.squaredNorm(), kappa = -q.dot(p) / q.squaredNorm();
  EXPECT_LT((s1.q - s0.q - h * (v + mu * q)).norm(), 1e-15);
  EXPECT_LT((p - 2.0 * bodyMatrix(q).transpose() * M + kappa * q).norm(), 1e-13);

  const Quaternion rest =
      s1.p() - s0.p() -
      h * (-2.0 * bodyMatrix(v).transpose() * M - body.top.potentialHessian() * q - mu * p - kappa * v);
  EXPECT_LT((rest - rest.dot(q) / q.squaredNorm() * q).norm(), 1e-13);  // lambda q_mid
  EXPECT_NEAR(s1.q.dot(s1.v()), 0.0, 1e-15);
  EXPECT_NEAR(s1.q.dot(s1.p()), 0.0, 1e-14);
}

// The same error constant as eml (1356.12), since they differ in terms of higher order only.
TEST(Ggl, IsAsAccurateAsEml) {
  const Case body = heavyTop();
  const Ggl scheme(body.top);
  auto state = scheme.start(body.start);
  for (int i = 0; i < 1000; ++i) ASSERT_TRUE(scheme.step(state, 1e-4).converged);
  const double error = (rotationMatrix(state.q).col(2) - steadyAxis(0.1)).norm();
  EXPECT_NEAR(error / 1e-8, 1356.12, 1.0);
}

// At this step eml has no solution after 8 seconds; here the total energy stays near the conserved one for
// good.
TEST(Ggl, GoesOnWhereEmlEnds) {
  const Case body = freeBody();
  const Ggl scheme(body.top);
  auto state = scheme.start(body.start);
  for (int i = 0; i < 20000; ++i) {
    ASSERT_TRUE(scheme.step(state, 0.05).converged) << i;
    ASSERT_NEAR(scheme.totalEnergy(state) / 2500.0, 1.0, 0.2) << i;
  }
  EXPECT_NEAR(scheme.energy(state), 2500.0, 1e-9);
}

}  // namespace
}  // namespace polhode::single_body::ggl_test
