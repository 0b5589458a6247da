#pragma once

#include "integrate/constrained_stepper.h"

namespace polhode {

/// An energy-momentum scheme in velocities alone, for any mass matrix, singular and dependent on q included:
///
///     q1 - q0 = h (v0 + v1)/2
///     M(q1) v1 - M(q0) v0 = h grad_q( v0^T M(q) v1 / 2 ) - h grad V - h sum_k lambda_k grad g_k
///     g(q1) = 0
///
/// grad_q is a discrete gradient over the step with v0 and v1 held fixed. With p = M(q) v at the ends of
/// steps,
///
///     T1 - T0 = (p1 - p0).(v0 + v1)/2 - v0^T (M(q1) - M(q0)) v1 / 2
///
/// is an identity, so that the scheme conserves the *total* energy T + V exactly, and no other one has to be
/// shown; Kinon & Betsch 2024 (remark 4.7) see no straightforward way to this. Symmetric, order 2. Conserves
/// g(q) = 0, and with DiscreteGradient::chainRule the momentum of cyclic coordinates. The velocity constraint
/// holds at middles of steps, not at their ends. Solved for (q1 - q0, h lambda). For constant M it is the
/// same as `LivensEm`.
class LagrangeEm : public ConstrainedStepper {
 public:
  LagrangeEm(const SmoothSystem& system, double t0, const VectorX& state, double tEnd, double h,
             DiscreteGradient kind = DiscreteGradient::chainRule);

 private:
  void equations(const VectorX& x, VectorX& r, MatrixX& J) override;
  void finish(const VectorX& x) override;
  void endVelocity(const VectorX& x) { v1_ = (2 / h_) * x.head(n_) - v0_; }

  DiscreteGradients gradients_;
  DiscreteMass mass_;
  DiscretePotential potential_;
  DiscreteConstraint constraint_;
  VectorX impulse_;
  MatrixX M1_, B_;
};

}  // namespace polhode
