#pragma once

#include "system/smooth_system.h"

/// Discrete gradients of a system over one step, in one of three kinds.
///
/// Gonzalez (midpoint) discrete gradient, Kinon & Betsch 2024, (71), with d = q1 - q0 and qm = (q0 + q1)/2:
///
///     grad f(q0, q1) = f'(qm) + (f(q1) - f(q0) - f'(qm) . d) / |d|^2  d
///
/// and the partitioned derivatives (129)-(131) of the kinetic energy T(q, v) = v^T M(q) v / 2,
///
///     d_q T = ( grad_q T(., v0) + grad_q T(., v1) ) / 2
///     d_v T = ( M(q0) + M(q1) ) / 2  (v0 + v1) / 2        (131) needs no correction: T is quadratic in v
///
/// The correction points along d in all coordinates at once, so the momentum of a cyclic coordinate is not
/// kept.
///
/// Chain rule (math/discrete_dual.h): each operation in the formula for M, V, g is differenced in itself.
/// Same order, directionality and symmetry, no division by |d|^2, and the momentum of a cyclic coordinate is
/// kept.
///
/// Mixed: Gonzalez for T, the chain rule for V and g. Where V is written in its invariants (r^2 for a spring), this is
/// the scheme whose end value for the spring pendulum is known (tests/integrate/livens_em_test.cpp).
namespace polhode {

enum class DiscreteGradient { gonzalez, mixed, chainRule };

/// Evaluates the discrete gradients of one system; holds the memory that this takes.
class DiscreteGradients {
 public:
  DiscreteGradients(const SmoothSystem& system, DiscreteGradient kind);

  void kinetic(const VectorX& q0, const VectorX& v0, const VectorX& q1, const VectorX& v1, DiscreteKinetic& result);
  void mass(const VectorX& q0, const VectorX& q1, const VectorX& a, const VectorX& b, DiscreteMass& result);
  void potential(double t, const VectorX& q0, const VectorX& q1, DiscretePotential& result);
  void constraint(const VectorX& q0, const VectorX& q1, const VectorX& lambda, DiscreteConstraint& result);

 private:
  void setStep(const VectorX& q0, const VectorX& q1);
  void correct(double increment, const VectorX& endGradient, const MatrixX& middleHessian, VectorX& gradient,
               MatrixX& byQ1);

  const SmoothSystem& system_;
  const DiscreteGradient kind_;
  VectorX step_, middle_;      // d, qm
  VectorX direction_;          // d / |d|^2, zero where there is no step
  double squaredInverse_ = 0;  // 1 / |d|^2
  MatrixX M0_, M1_, dM_, B_, Bend_, hessian_;
  VectorX end_, slope_;
  DiscreteMass half_;
};

}  // namespace polhode
