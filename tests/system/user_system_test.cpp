#include "polhode/system/user_system.h"

#include "polhode/system/examples/mass_spring.h"
#include "polhode/system/examples/spring_pendulum.h"

#include "support/quaternion_top.h"
#include "support/test_systems.h"
#include <gtest/gtest.h>

namespace polhode {
namespace {

using namespace test;

/// Every derivative that `UserSystem` takes, against central differences of what it is the derivative of.
template <class System>
class UserSystemDerivatives : public testing::Test {
 protected:
  static constexpr double time = 0.7;
  static constexpr double step = 1e-5;
  static constexpr double tolerance = 1e-8;  // step^2 times third derivatives of order 10

  UserSystemDerivatives() {
    for (int i = 0; i < System::n; ++i) q[i] = 0.8 - 0.23 * i, v[i] = 0.5 + 0.31 * i, a[i] = 0.2 - 0.4 * i;
  }

  template <class Function>
  MatrixX difference(Function f, const VectorX& x) const {
    MatrixX jacobian;
    for (int j = 0; j < x.size(); ++j) {
      const VectorX e = step * VectorX::Unit(x.size(), j);
      const VectorX column = (f(x + e) - f(x - e)) / (2 * step);
      if (j == 0) jacobian.resize(column.size(), x.size());
      jacobian.col(j) = column;
    }
    return jacobian;
  }

  System system;
  VectorX q = VectorX(System::n), v = q, a = q;
};

using Systems =
    testing::Types<MassSpring, SpringPendulum, QuaternionTop, InvariantTop, PlanarDoublePendulum, Everything>;
TYPED_TEST_SUITE(UserSystemDerivatives, Systems);

#define EXPECT_MATRIX_NEAR(actual, expected)                                                                     \
  EXPECT_LT(((actual) - (expected)).norm(), this->tolerance*(1 + (expected).norm())) << actual << "\nexpected\n" \
                                                                                     << expected

TYPED_TEST(UserSystemDerivatives, OfTheMass) {
  constexpr int n = TypeParam::n;
  MatrixX M(n, n), B(n, n), K(n, n);
  this->system.massDerivative(this->q, this->a, B);
  EXPECT_MATRIX_NEAR(B, this->difference(
                            [&](const VectorX& x) {
                              this->system.mass(x, M);
                              return VectorX(M * this->a);
                            },
                            this->q));
  this->system.massCurvature(this->q, this->a, this->v, K);
  EXPECT_MATRIX_NEAR(K, this->difference(
                            [&](const VectorX& x) {
                              this->system.massDerivative(x, this->a, B);
                              return VectorX(B.transpose() * this->v);
                            },
                            this->q));
}

TYPED_TEST(UserSystemDerivatives, OfThePotential) {
  constexpr int n = TypeParam::n;
  VectorX gradient(n);
  MatrixX hessian(n, n);
  this->system.potentialGradient(this->time, this->q, gradient);
  this->system.potentialHessian(this->time, this->q, hessian);
  EXPECT_MATRIX_NEAR(
      gradient.transpose(),
      this->difference(
          [&](const VectorX& x) { return VectorX::Constant(1, this->system.potential(this->time, x)).eval(); },
          this->q));
  EXPECT_MATRIX_NEAR(hessian, this->difference(
                                  [&](const VectorX& x) {
                                    VectorX slope(n);
                                    this->system.potentialGradient(this->time, x, slope);
                                    return slope;
                                  },
                                  this->q));
}

TYPED_TEST(UserSystemDerivatives, OfTheConstraints) {
  constexpr int n = TypeParam::n, m = TypeParam::m;
  if (m == 0) return;
  MatrixX G(m, n), H(n, n), D(m, n);
  const VectorX lambda = VectorX::LinSpaced(m, 0.4, 1.1);
  this->system.constraintJacobian(this->q, G);
  EXPECT_MATRIX_NEAR(G, this->difference(
                            [&](const VectorX& x) {
                              VectorX g(m);
                              this->system.constraint(x, g);
                              return g;
                            },
                            this->q));
  this->system.constraintHessian(this->q, lambda, H);
  EXPECT_MATRIX_NEAR(H, this->difference(
                            [&](const VectorX& x) {
                              this->system.constraintJacobian(x, G);
                              return VectorX(G.transpose() * lambda);
                            },
                            this->q));
  this->system.constraintVelocityDerivative(this->q, this->v, D);
  EXPECT_MATRIX_NEAR(D, this->difference(
                            [&](const VectorX& x) {
                              this->system.constraintJacobian(x, G);
                              return VectorX(G * this->v);
                            },
                            this->q));
  this->system.constraintVelocityCurvature(this->q, this->v, lambda, H);
  EXPECT_MATRIX_NEAR(H, this->difference(
                            [&](const VectorX& x) {
                              this->system.constraintVelocityDerivative(x, this->v, D);
                              return VectorX(D.transpose() * lambda);
                            },
                            this->q));
  this->system.constraintVelocityDerivative(this->q, this->v, D);
  VectorX acceleration(m);
  this->system.constraintAcceleration(this->q, this->v, acceleration);
  EXPECT_MATRIX_NEAR(acceleration, D * this->v);
}

// psi = f - grad V + grad_q(v^T M v)/2 - d(M v)/dq v, Lang (2)
TYPED_TEST(UserSystemDerivatives, MakeTheForces) {
  constexpr int n = TypeParam::n;
  VectorX psi(n), gradient(n), f(n);
  MatrixX M(n, n), B(n, n), byQ(n, n), byV(n, n);
  this->system.forces(this->time, this->q, this->v, psi);
  this->system.potentialGradient(this->time, this->q, gradient);
  this->system.appliedForce(this->time, this->q, this->v, f, byQ, byV);
  const MatrixX kinetic = this->difference(
      [&](const VectorX& x) {
        this->system.mass(x, M);
        return VectorX::Constant(1, 0.5 * this->v.dot(M * this->v)).eval();
      },
      this->q);
  this->system.massDerivative(this->q, this->v, B);
  EXPECT_MATRIX_NEAR(psi, f - gradient + kinetic.transpose() - B * this->v);
}

TYPED_TEST(UserSystemDerivatives, OfTheAppliedForce) {
  constexpr int n = TypeParam::n;
  VectorX f(n);
  MatrixX byQ(n, n), byV(n, n), unused(n, n);
  this->system.appliedForce(this->time, this->q, this->v, f, byQ, byV);
  EXPECT_MATRIX_NEAR(byQ, this->difference(
                              [&](const VectorX& x) {
                                this->system.appliedForce(this->time, x, this->v, f, unused, unused);
                                return f;
                              },
                              this->q));
  EXPECT_MATRIX_NEAR(byV, this->difference(
                              [&](const VectorX& x) {
                                this->system.appliedForce(this->time, this->q, x, f, unused, unused);
                                return f;
                              },
                              this->v));
}

TYPED_TEST(UserSystemDerivatives, IncrementsAreDifferences) {
  constexpr int n = TypeParam::n, m = TypeParam::m;
  const VectorX q1 = this->q + 0.1 * this->v;
  EXPECT_NEAR(this->system.potentialIncrement(this->time, this->q, q1),
              this->system.potential(this->time, q1) - this->system.potential(this->time, this->q), 1e-14);
  MatrixX M0(n, n), M1(n, n), dM(n, n);
  this->system.mass(this->q, M0);
  this->system.mass(q1, M1);
  this->system.massIncrement(this->q, q1, dM);
  EXPECT_LT((M1 - M0 - dM).norm(), 1e-13);
  VectorX g0(m), g1(m), dg(m);
  this->system.constraint(this->q, g0);
  this->system.constraint(q1, g1);
  this->system.constraintIncrement(this->q, q1, dg);
  EXPECT_LT((g1 - g0 - dg).norm(), 1e-14);
}

TEST(UserSystem, KnowsItsSizes) {
  const MassSpring springs;
  EXPECT_EQ(springs.coordinates(), 3);
  EXPECT_EQ(springs.constraints(), 1);
  EXPECT_FALSE(springs.hasAppliedForce());
  EXPECT_TRUE(Everything().hasAppliedForce());
}

}  // namespace
}  // namespace polhode
