#pragma once

#include "integrate/constrained_stepper.h"

namespace polhode {

/// EML: the energy-momentum integrator from Livens' principle, for any mass matrix. With the partitioned
/// discrete derivatives d_q, d_v of L = T - V and the discrete gradient of g (system/discrete_gradient.h),
///
///     q1 - q0 = h (v0 + v1)/2                                        (72a)
///     p1 - p0 = h d_q L - sum_k h lambda_k grad g_k                  (72b)
///     (p0 + p1)/2 = d_v L                                            (72c)
///     g(q1) = 0                                                      (72d)
///
/// Kinon & Betsch 2024; by default with (71) and (129)-(131). Solved for (q1 - q0, h lambda): v1 follows from
/// (72a), p1 from (72c). Symmetric, order 2.
///
/// Conserves exactly: the generalised energy p.v - T(q, v) + V(q); g(q) = 0. With constant M also the total
/// energy. Momentum maps: those which the discrete gradient respects. With (129)-(131) the momentum of a
/// cyclic coordinate drifts at O(h^2), with DiscreteGradient::chainRule it does not.
/// Not kept: the velocity constraint and p = M(q) v hold at middles of steps, not at their ends; the total energy T + V
/// oscillates. `LivensEmGgl` keeps the first, `LagrangeEm` the energy.
/// Applied forces act at the middle of the step; the generalised energy then changes by exactly their work.
class LivensEm : public ConstrainedStepper {
 public:
  LivensEm(const SmoothSystem& system, double t0, const VectorX& state, double tEnd, double h,
           DiscreteGradient kind = DiscreteGradient::gonzalez);

 private:
  void equations(const VectorX& x, VectorX& r, MatrixX& J) override;
  void finish(const VectorX& x) override;
  void endVelocity(const VectorX& x) { v1_ = (2 / h_) * x.head(n_) - v0_; }

  DiscreteGradients gradients_;
  DiscreteKinetic kinetic_;
  DiscretePotential potential_;
  DiscreteConstraint constraint_;
  VectorX impulse_;
};

}  // namespace polhode
