#include "integrate/single_body/director_em.h"

#include "integrate/single_body/cases.h"
#include "integrate/single_body/reference.h"

#include <gtest/gtest.h>

namespace polhode::single_body::director_em_test {
namespace {

TEST(DirectorEm, EndsWhereTheReferenceEnds) {
  const Case body = freeBody();
  const DirectorEm scheme(body.top);
  auto state = scheme.start(body.start);
  for (int i = 0; i < 40; ++i) ASSERT_TRUE(scheme.step(state, 0.05).converged);
  const Matrix3 R = rotationMatrix(state.q), w = R * state.W;
  for (int i = 0; i < 9; ++i) EXPECT_NEAR(R(i / 3, i % 3), reference::directorEm.R[i], 1e-12);
  for (int i = 0; i < 9; ++i) EXPECT_NEAR(w(i % 3, i / 3), reference::directorVelocities[i], 1e-10);
}

// The scheme in nine directors: d1 - d0 = h w_mid, and M (w1 - w0) + h grad V is a combination of the
// constraints' gradients at d_mid, that is, orthogonal to all rotations of the mean directors.
TEST(DirectorEm, SatisfiesTheEquationsInDirectors) {
  const Case body = asymmetricTop();
  const DirectorEm scheme(body.top);
  auto s0 = scheme.start(body.start);
  const double h = 0.05;
  for (int i = 0; i < 5; ++i) ASSERT_TRUE(scheme.step(s0, h).converged);
  auto s1 = s0;
  ASSERT_TRUE(scheme.step(s1, h).converged);

  const Matrix3 D0 = rotationMatrix(s0.q), D1 = rotationMatrix(s1.q), w0 = D0 * s0.W, w1 = D1 * s1.W;
  EXPECT_LT((D1 - D0 - 0.5 * h * (w0 + w1)).norm(), 1e-15);

  const Vector3 E = Vector3::Constant(0.5 * body.top.inertia.sum()) - body.top.inertia;
  const Matrix3 force = (w1 - w0) * E.asDiagonal() - h * body.top.gravity * body.top.moment.transpose();
  Vector3 torque = Vector3::Zero();
  for (int i = 0; i < 3; ++i) torque += Vector3(0.5 * (D0 + D1).col(i)).cross(force.col(i));
  EXPECT_LT(torque.norm(), 1e-13);
}

// A flat body has no extent along its normal; a rod none across: E_i = 0 must do no harm.
TEST(DirectorEm, WorksForPlatesAndRods) {
  for (const Vector3& inertia : {Vector3(1.0, 2.0, 3.0), Vector3(1.0, 1.0, 1e-9)}) {
    const DirectorEm scheme(TopData{.inertia = inertia});
    auto state = scheme.start({.Omega = {1.0, 2.0, 3.0}});
    const double energy = scheme.energy(state);
    for (int i = 0; i < 1000; ++i) ASSERT_TRUE(scheme.step(state, 0.02).converged);
    EXPECT_NEAR(scheme.energy(state) / energy, 1.0, 1e-13);
  }
}

// For a steady spin the scheme reads tan(angle/2) = h Omega/2: a step of any length is less than half a turn.
TEST(DirectorEm, TurnsByLessThanHalfATurn) {
  const DirectorEm scheme(freeBody().top);
  for (const double h : {0.1, 2.0, 50.0}) {
    auto state = scheme.start({.Omega = {0.0, 0.0, 1.0}});
    ASSERT_TRUE(scheme.step(state, h).converged) << h;
    EXPECT_NEAR(state.q[3] / state.q[0], 0.5 * h, 1e-13 * h);
  }
}

}  // namespace
}  // namespace polhode::single_body::director_em_test
