#include "system/user_system.h"

#include "support/quaternion_top.h"
#include "support/test_systems.h"
#include "system/named_system.h"

#include <gtest/gtest.h>

namespace polhode::user_system_test {
namespace {

using namespace test;

/// Every derivative that `UserSystem` takes, against central differences of what it is the derivative of.
class UserSystemDerivatives : public testing::TestWithParam<std::unique_ptr<SmoothSystem> (*)()> {
 protected:
  static constexpr double time = 0.7;
  static constexpr double step = 1e-5;
  static constexpr double tolerance = 1e-8;  // step^2 times third derivatives of order 10

  UserSystemDerivatives() {
    for (int i = 0; i < q.size(); ++i) q[i] = 0.8 - 0.23 * i, v[i] = 0.5 + 0.31 * i, a[i] = 0.2 - 0.4 * i;
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

  const std::unique_ptr<SmoothSystem> system = GetParam()();
  VectorX q = VectorX(system->coordinates()), v = q, a = q;
};

std::unique_ptr<SmoothSystem> massSpring() {
  return namedSystem("mass-spring").make();
}
std::unique_ptr<SmoothSystem> springPendulum() {
  return namedSystem("spring-pendulum").make();
}
std::unique_ptr<SmoothSystem> doublePendulum() {
  return planarDoublePendulum();
}

INSTANTIATE_TEST_SUITE_P(All, UserSystemDerivatives,
                         testing::Values(massSpring, springPendulum, quaternionTop, invariantTop, doublePendulum,
                                         everything));

#define EXPECT_MATRIX_NEAR(actual, expected) \
  EXPECT_LT(((actual) - (expected)).norm(), tolerance*(1 + (expected).norm())) << actual << "\nexpected\n" << expected

TEST_P(UserSystemDerivatives, OfTheMass) {
  const int n = system->coordinates();
  MatrixX M(n, n), B(n, n), K(n, n);
  system->massDerivative(q, a, B);
  EXPECT_MATRIX_NEAR(B, difference(
                            [&](const VectorX& x) {
                              system->mass(x, M);
                              return VectorX(M * a);
                            },
                            q));
  system->massCurvature(q, a, v, K);
  EXPECT_MATRIX_NEAR(K, difference(
                            [&](const VectorX& x) {
                              system->massDerivative(x, a, B);
                              return VectorX(B.transpose() * v);
                            },
                            q));
}

TEST_P(UserSystemDerivatives, OfThePotential) {
  const int n = system->coordinates();
  VectorX gradient(n);
  MatrixX hessian(n, n);
  system->potentialGradient(time, q, gradient);
  system->potentialHessian(time, q, hessian);
  EXPECT_MATRIX_NEAR(
      gradient.transpose(),
      difference([&](const VectorX& x) { return VectorX::Constant(1, system->potential(time, x)).eval(); }, q));
  EXPECT_MATRIX_NEAR(hessian, difference(
                                  [&](const VectorX& x) {
                                    VectorX slope(n);
                                    system->potentialGradient(time, x, slope);
                                    return slope;
                                  },
                                  q));
}

TEST_P(UserSystemDerivatives, OfTheConstraints) {
  const int n = system->coordinates(), m = system->constraints();
  if (m == 0) return;
  MatrixX G(m, n), H(n, n), D(m, n);
  const VectorX lambda = VectorX::LinSpaced(m, 0.4, 1.1);
  system->constraintJacobian(q, G);
  EXPECT_MATRIX_NEAR(G, difference(
                            [&](const VectorX& x) {
                              VectorX g(m);
                              system->constraint(x, g);
                              return g;
                            },
                            q));
  system->constraintHessian(q, lambda, H);
  EXPECT_MATRIX_NEAR(H, difference(
                            [&](const VectorX& x) {
                              system->constraintJacobian(x, G);
                              return VectorX(G.transpose() * lambda);
                            },
                            q));
  system->constraintVelocityDerivative(q, v, D);
  EXPECT_MATRIX_NEAR(D, difference(
                            [&](const VectorX& x) {
                              system->constraintJacobian(x, G);
                              return VectorX(G * v);
                            },
                            q));
  system->constraintVelocityCurvature(q, v, lambda, H);
  EXPECT_MATRIX_NEAR(H, difference(
                            [&](const VectorX& x) {
                              system->constraintVelocityDerivative(x, v, D);
                              return VectorX(D.transpose() * lambda);
                            },
                            q));
  system->constraintVelocityDerivative(q, v, D);
  VectorX acceleration(m);
  system->constraintAcceleration(q, v, acceleration);
  EXPECT_MATRIX_NEAR(acceleration, D * v);
}

// psi = f - grad V + grad_q(v^T M v)/2 - d(M v)/dq v, Lang (2)
TEST_P(UserSystemDerivatives, MakeTheForces) {
  const int n = system->coordinates();
  VectorX psi(n), gradient(n), f(n);
  MatrixX M(n, n), B(n, n), byQ(n, n), byV(n, n);
  system->forces(time, q, v, psi);
  system->potentialGradient(time, q, gradient);
  system->appliedForce(time, q, v, f, byQ, byV);
  const MatrixX kinetic = difference(
      [&](const VectorX& x) {
        system->mass(x, M);
        return VectorX::Constant(1, 0.5 * v.dot(M * v)).eval();
      },
      q);
  system->massDerivative(q, v, B);
  EXPECT_MATRIX_NEAR(psi, f - gradient + kinetic.transpose() - B * v);
}

TEST_P(UserSystemDerivatives, OfTheAppliedForce) {
  const int n = system->coordinates();
  VectorX f(n);
  MatrixX byQ(n, n), byV(n, n), unused(n, n);
  system->appliedForce(time, q, v, f, byQ, byV);
  EXPECT_MATRIX_NEAR(byQ, difference(
                              [&](const VectorX& x) {
                                system->appliedForce(time, x, v, f, unused, unused);
                                return f;
                              },
                              q));
  EXPECT_MATRIX_NEAR(byV, difference(
                              [&](const VectorX& x) {
                                system->appliedForce(time, q, x, f, unused, unused);
                                return f;
                              },
                              v));
}

TEST_P(UserSystemDerivatives, IncrementsAreDifferences) {
  const int n = system->coordinates(), m = system->constraints();
  const VectorX q1 = q + 0.1 * v;
  EXPECT_NEAR(system->potentialIncrement(time, q, q1), system->potential(time, q1) - system->potential(time, q), 1e-14);
  MatrixX M0(n, n), M1(n, n), dM(n, n);
  system->mass(q, M0);
  system->mass(q1, M1);
  system->massIncrement(q, q1, dM);
  EXPECT_LT((M1 - M0 - dM).norm(), 1e-13);
  VectorX g0(m), g1(m), dg(m);
  system->constraint(q, g0);
  system->constraint(q1, g1);
  system->constraintIncrement(q, q1, dg);
  EXPECT_LT((g1 - g0 - dg).norm(), 1e-14);
}

TEST(UserSystem, KnowsItsSizes) {
  const auto springs = massSpring();
  EXPECT_EQ(springs->coordinates(), 3);
  EXPECT_EQ(springs->constraints(), 1);
  EXPECT_FALSE(springs->hasAppliedForce());
  EXPECT_TRUE(everything()->hasAppliedForce());
}

}  // namespace
}  // namespace polhode::user_system_test
