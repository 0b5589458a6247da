#include "system/discrete_gradient.h"

#include "support/quaternion_top.h"
#include "support/test_systems.h"
#include "system/named_system.h"

#include <gtest/gtest.h>

namespace polhode::discrete_gradient_test {
namespace {

using namespace test;

struct Step {
  VectorX q0, v0, q1, v1;
};

Step someStep(int n) {
  Step s{VectorX(n), VectorX(n), VectorX(n), VectorX(n)};
  for (int i = 0; i < n; ++i) {
    s.q0[i] = 0.8 - 0.23 * i, s.v0[i] = 0.5 + 0.31 * i;
    s.q1[i] = s.q0[i] + 0.07 - 0.05 * i, s.v1[i] = s.v0[i] - 0.2 + 0.15 * i * i;
  }
  return s;
}

double kineticEnergy(const SmoothSystem& system, const VectorX& q, const VectorX& v) {
  MatrixX M(q.size(), q.size());
  system.mass(q, M);
  return 0.5 * v.dot(M * v);
}

template <class Function>
MatrixX difference(Function f, const VectorX& x) {
  const double step = 1e-5;
  MatrixX jacobian;
  for (int j = 0; j < x.size(); ++j) {
    const VectorX e = step * VectorX::Unit(x.size(), j);
    const VectorX column = (f(x + e) - f(x - e)) / (2 * step);
    if (j == 0) jacobian.resize(column.size(), x.size());
    jacobian.col(j) = column;
  }
  return jacobian;
}

class DiscreteGradientTest : public testing::TestWithParam<std::unique_ptr<SmoothSystem> (*)()> {
 protected:
  static constexpr DiscreteGradient kinds[] = {DiscreteGradient::gonzalez, DiscreteGradient::mixed,
                                               DiscreteGradient::chainRule};
  static constexpr double time = 0.7;
  const std::unique_ptr<SmoothSystem> system = GetParam()();
  const Step s = someStep(system->coordinates());
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

INSTANTIATE_TEST_SUITE_P(All, DiscreteGradientTest,
                         testing::Values(massSpring, springPendulum, quaternionTop, invariantTop, doublePendulum,
                                         everything));

// (73) for T, and the same for V, g and a^T M b / 2: what makes the schemes conserve
TEST_P(DiscreteGradientTest, HasTheIncrementAlongTheStep) {
  const int n = system->coordinates(), m = system->constraints();
  const auto& [q0, v0, q1, v1] = s;
  const VectorX d = q1 - q0;
  for (const DiscreteGradient kind : kinds) {
    DiscreteGradients gradients(*system, kind);
    DiscreteKinetic kinetic(n);
    gradients.kinetic(q0, v0, q1, v1, kinetic);
    EXPECT_NEAR(kinetic.byPosition.dot(d) + kinetic.byVelocity.dot(v1 - v0),
                kineticEnergy(*system, q1, v1) - kineticEnergy(*system, q0, v0), 1e-13);

    DiscretePotential potential(n);
    gradients.potential(time, q0, q1, potential);
    EXPECT_NEAR(potential.gradient.dot(d), system->potential(time, q1) - system->potential(time, q0), 1e-14);

    DiscreteMass mass(n);
    MatrixX M0(n, n), M1(n, n);
    system->mass(q0, M0);
    system->mass(q1, M1);
    gradients.mass(q0, q1, v0, v1, mass);
    EXPECT_NEAR(mass.gradient.dot(d), 0.5 * v0.dot((M1 - M0) * v1), 1e-13);

    DiscreteConstraint constraint(n, m);
    VectorX g0(m), g1(m);
    system->constraint(q0, g0);
    system->constraint(q1, g1);
    gradients.constraint(q0, q1, VectorX::Ones(m), constraint);
    EXPECT_LT((constraint.jacobian * d - (g1 - g0)).norm(), 1e-14);
  }
}

TEST_P(DiscreteGradientTest, DerivativesAgreeWithDifferences) {
  const int n = system->coordinates(), m = system->constraints();
  constexpr double tolerance = 1e-7;  // step^2 times third derivatives of order 100
  const VectorX &q0 = s.q0, &v0 = s.v0, &q1 = s.q1, &v1 = s.v1;
  const VectorX lambda = VectorX::LinSpaced(m, 0.4, 1.1);
  for (const DiscreteGradient kind : kinds) {
    DiscreteGradients gradients(*system, kind);
    DiscreteKinetic kinetic(n), k(n);
    gradients.kinetic(q0, v0, q1, v1, kinetic);
    const auto position = [&](const VectorX& q, const VectorX& v) {
      gradients.kinetic(q0, v0, q, v, k);
      return k.byPosition;
    };
    const auto velocity = [&](const VectorX& q, const VectorX& v) {
      gradients.kinetic(q0, v0, q, v, k);
      return k.byVelocity;
    };
    const auto in = [](auto f, const VectorX& v) { return [=](const VectorX& q) { return f(q, v); }; };
    const auto at = [](auto f, const VectorX& q) { return [=](const VectorX& v) { return f(q, v); }; };
    EXPECT_LT((kinetic.positionByQ1 - difference(in(position, v1), q1)).norm(), tolerance);
    EXPECT_LT((kinetic.positionByV1 - difference(at(position, q1), v1)).norm(), tolerance);
    EXPECT_LT((kinetic.velocityByQ1 - difference(in(velocity, v1), q1)).norm(), tolerance);
    EXPECT_LT((kinetic.velocityByV1 - difference(at(velocity, q1), v1)).norm(), tolerance);

    DiscreteMass mass(n), l(n);
    gradients.mass(q0, q1, v0, v1, mass);
    const auto form = [&](const VectorX& q, const VectorX& v) {
      gradients.mass(q0, q, v0, v, l);
      return l.gradient;
    };
    EXPECT_LT((mass.byQ1 - difference(in(form, v1), q1)).norm(), tolerance);
    EXPECT_LT((mass.byB - difference(at(form, q1), v1)).norm(), tolerance);

    DiscretePotential potential(n), p(n);
    gradients.potential(time, q0, q1, potential);
    const auto slope = [&](const VectorX& q) {
      gradients.potential(time, q0, q, p);
      return p.gradient;
    };
    EXPECT_LT((potential.byQ1 - difference(slope, q1)).norm(), tolerance);

    DiscreteConstraint constraint(n, m), c(n, m);
    gradients.constraint(q0, q1, lambda, constraint);
    const auto force = [&](const VectorX& q) {
      gradients.constraint(q0, q, lambda, c);
      return VectorX(c.jacobian.transpose() * lambda);
    };
    EXPECT_LT((constraint.forceByQ1 - difference(force, q1)).norm(), tolerance);
  }
}

// No step at all: the gradient is the derivative, and nothing is divided by zero.
TEST_P(DiscreteGradientTest, IsTheDerivativeAtRest) {
  const int n = system->coordinates();
  const auto& [q0, v0, q1, v1] = s;
  VectorX exact(n);
  system->potentialGradient(time, q0, exact);
  for (const DiscreteGradient kind : kinds) {
    DiscreteGradients gradients(*system, kind);
    DiscretePotential potential(n);
    gradients.potential(time, q0, q0, potential);
    EXPECT_LT((potential.gradient - exact).norm(), 1e-14);
    EXPECT_TRUE(potential.byQ1.allFinite());
  }
}

// By the chain rule a cyclic coordinate gets no force; the correction of (71) gives it one.
TEST(DiscreteGradient, OfACyclicCoordinateIsZeroByTheChainRuleAlone) {
  const auto pendulum = springPendulum();
  const auto [q0, v0, q1, v1] = someStep(3);
  DiscretePotential potential(3);
  DiscreteGradients(*pendulum, DiscreteGradient::chainRule).potential(0, q0, q1, potential);
  EXPECT_EQ(potential.gradient[2], 0.0);
  DiscreteGradients(*pendulum, DiscreteGradient::gonzalez).potential(0, q0, q1, potential);
  EXPECT_GT(std::abs(potential.gradient[2]), 1e-3);
}

}  // namespace
}  // namespace polhode::discrete_gradient_test
