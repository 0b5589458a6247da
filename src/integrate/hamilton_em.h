#pragma once

#include "integrate/constrained_stepper.h"

namespace polhode {

/// The energy-momentum scheme for Hamilton's equations with the partitioned Gonzalez gradients of
/// H(q, p) = p^T M(q)^-1 p / 2 + V(q): Kinon & Betsch 2024, (129)-(131), with p in the place of v,
///
///     q1 - q0 = h d_p H,    d_p H = (M(q0)^-1 + M(q1)^-1)/2  (p0 + p1)/2
///     p1 - p0 = -h d_q H - h sum_k lambda_k grad g_k,
///               d_q H = (grad_q H(., p0) + grad_q H(., p1))/2        each as (71)
///     g(q1) = 0
///
/// Needs a regular mass matrix; a singular one is refused (InputError). Conserves H, which is the total
/// energy with v = M(q)^-1 p at the ends of steps, and g(q) = 0. Symmetric, order 2. Solved for (q1 - q0, p1,
/// h lambda). For rigid bodies with quaternions use quaternion-em, which is this with discrete gradients in
/// the invariants.
class HamiltonEm : public ConstrainedStepper {
 public:
  HamiltonEm(const SmoothSystem& system, double t0, const VectorX& state, double tEnd, double h);

 private:
  /// grad_q of p^T M(q)^-1 p / 2 over the step with p held fixed, and its derivatives.
  struct Coenergy {
    VectorX gradient;
    MatrixX byQ1, byP;
  };

  void equations(const VectorX& x, VectorX& r, MatrixX& J) override;
  void finish(const VectorX& x) override;
  void predict(VectorX& x) override;
  void evaluateMasses(const VectorX& d);
  void coenergy(const VectorX& d, const VectorX& p, Coenergy& result);

  DiscreteGradients gradients_;
  DiscretePotential potential_;
  DiscreteConstraint constraint_;
  Coenergy startMomentum_, endMomentum_;
  MatrixX inverse0_, inverseMiddle_, inverse1_, increment_, B_, K_, hessian_;  // of M, and dM
  VectorX middle_, velocity_, impulse_;
};

}  // namespace polhode
