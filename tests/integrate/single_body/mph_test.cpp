// The midpoint rules: MPL, and MPH with either meaning of the inverse mass matrix.
#include "integrate/single_body/mph.h"

#include "integrate/single_body/cases.h"
#include "integrate/single_body/mpl.h"
#include "integrate/single_body/reference.h"

#include <gtest/gtest.h>

namespace polhode::single_body::mph_test {
namespace {

TEST(Mpl, EndsWhereTheReferenceEnds) {
  const Case body = freeBody();
  const Mpl scheme(body.top);
  auto state = scheme.start(body.start);
  for (int i = 0; i < 40; ++i) ASSERT_TRUE(scheme.step(state, 0.05).converged);
  const auto& end = reference::mpl;
  for (int i = 0; i < 9; ++i) EXPECT_NEAR(rotationMatrix(state.q)(i / 3, i % 3), end.R[i], 1e-12);
  for (int i = 0; i < 4; ++i) EXPECT_NEAR(state.v()[i], end.v[i], 1e-11);
  for (int i = 0; i < 4; ++i) EXPECT_NEAR(state.p()[i], end.p[i], 1e-10);
  EXPECT_NEAR(scheme.energy(state), 2405.8576501092643, 1e-9);  // from the same reference
}

TEST(MphInverse, GivesPositionsAndMomentaOfMpl) {
  const Case body = asymmetricTop();
  const Mpl mpl(body.top);
  const MphInverse mph(body.top);
  auto a = mpl.start(body.start), b = mph.start(body.start);
  for (int i = 0; i < 100; ++i) {
    ASSERT_TRUE(mpl.step(a, 0.05).converged);
    ASSERT_TRUE(mph.step(b, 0.05).converged);
  }
  EXPECT_LT(angleBetween(a.q, b.q), 1e-13);
  EXPECT_LT((a.pi - b.pi).norm(), 1e-12);
}

// (133) in space with the polynomial (139).
TEST(Mph, SatisfiesTheEquationsAsPrinted) {
  const Case body = asymmetricTop();
  const Mph scheme(body.top);
  auto s0 = scheme.start(body.start);
  const double h = 0.05;
  for (int i = 0; i < 5; ++i) ASSERT_TRUE(scheme.step(s0, h).converged);
  auto s1 = s0;
  ASSERT_TRUE(scheme.step(s1, h).converged);

  Quaternion inverse;
  inverse << 2.0 / body.top.inertia.sum(), body.top.inertia.cwiseInverse();
  const auto inverseMass = [&](const Quaternion& q) -> Eigen::Matrix4d {
    return 0.25 * leftMatrix(q) * inverse.asDiagonal() * leftMatrix(q).transpose();
  };
  const Quaternion q = 0.5 * (s0.q + s1.q), p = 0.5 * (s0.p() + s1.p());
  EXPECT_LT((s1.q - s0.q - h * inverseMass(q) * p).norm(), 1e-15);
  const Quaternion rest = s1.p() - s0.p() + h * (inverseMass(p) * q + body.top.potentialHessian() * q);  // along q_mid
  EXPECT_LT((rest - rest.dot(q) / q.squaredNorm() * q).norm(), 1e-13);
}

}  // namespace
}  // namespace polhode::single_body::mph_test
