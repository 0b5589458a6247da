#pragma once

#include "system/constrained_system.h"

#include <algorithm>

#include <gtest/gtest.h>

/// What every ConstrainedSystem must satisfy, checked against central differences of its own M, V and g.
namespace polhode::test {

inline MatrixX massOf(const ConstrainedSystem& system, const VectorX& q) {
  MatrixX M(q.size(), q.size());
  system.mass(q, M);
  return M;
}

inline double kineticEnergy(const ConstrainedSystem& system, const VectorX& q, const VectorX& v) {
  return 0.5 * v.dot(massOf(system, q) * v);
}

/// d f / d q for a vector function f of q. The step balances truncation (h^2) and round-off (eps/h).
template <class Function>
MatrixX centralDifferences(const Function& f, const VectorX& q) {
  const double h = 6e-6;
  MatrixX J(f(q).size(), q.size());
  for (int j = 0; j < q.size(); ++j) {
    VectorX forward = q, backward = q;
    forward[j] += h;
    backward[j] -= h;
    J.col(j) = (f(forward) - f(backward)) / (2.0 * h);
  }
  return J;
}

/// psi, G and g^II are the derivatives that their definitions, Lang (2) and (5), say they are. All are
/// polynomials of degree four at most in q here, so that the differences carry about nine digits of their
/// largest value.
inline void expectConsistentDerivatives(const ConstrainedSystem& system, double t, const VectorX& q, const VectorX& v) {
  const int n = system.coordinates(), m = system.constraints();
  const auto momentum = [&](const VectorX& a) -> VectorX { return massOf(system, a) * v; };
  const auto energies = [&](const VectorX& a) -> VectorX {
    return VectorX::Constant(1, kineticEnergy(system, a, v) - system.potential(t, a));
  };
  const auto constraint = [&](const VectorX& a) -> VectorX {
    VectorX g(m);
    system.constraint(a, g);
    return g;
  };
  const auto constraintVelocity = [&](const VectorX& a) -> VectorX {
    MatrixX G(m, n);
    system.constraintJacobian(a, G);
    return G * v;
  };

  const MatrixX M = massOf(system, q);
  EXPECT_LT((M - M.transpose()).lpNorm<Eigen::Infinity>(), 1e-15 * M.norm());  // round-off

  VectorX psi(n);
  system.forces(t, q, v, psi);
  const VectorX expectedForces = centralDifferences(energies, q).transpose() - centralDifferences(momentum, q) * v;
  EXPECT_LT((psi - expectedForces).lpNorm<Eigen::Infinity>(),
            1e-8 * std::max({1.0, psi.lpNorm<Eigen::Infinity>(), kineticEnergy(system, q, v)}));

  MatrixX G(m, n);
  system.constraintJacobian(q, G);
  EXPECT_LT((G - centralDifferences(constraint, q)).lpNorm<Eigen::Infinity>(), 1e-9);

  VectorX gII(m);
  system.constraintAcceleration(q, v, gII);
  EXPECT_LT((gII - centralDifferences(constraintVelocity, q) * v).lpNorm<Eigen::Infinity>(),
            1e-9 * std::max(1.0, v.squaredNorm()));
}

}  // namespace polhode::test
