#pragma once

#include "polhode/integrate/constrained_stepper.h"

namespace polhode {

/// The energy-momentum scheme with Gear, Gupta & Leimkuhler's stabilisation: velocities satisfy the
/// constraint at the ends of steps as well. With means Mm = (M(q0) + M(q1))/2, Gm = (G(q0) + G(q1))/2, vm =
/// (v0 + v1)/2,
///
///     Mm e = Gm^T gamma,    e = q1 - q0 - h vm                       what kinematics gives way
///     dp = h grad_q( v0^T M(q) v1 / 2 ) - h grad V - h sum_k lambda_k grad g_k + (e.dp) (q1 - q0)/|q1 -
///     q0|^2 dp = M(q1) v1 - M(q0) v0 g(q1) = 0,   G(q1) v1 = 0
///
/// gamma is O(h^3) and zero where nothing has to be stabilised: then the scheme is `LagrangeEm`. The first
/// equation is multiplied by M, so no mass matrix has to be inverted. The last term of the second gives back
/// the energy that e takes, so that T + V, which is the generalised energy as p = M v here, is conserved
/// exactly. Any mass matrix; symmetric, order 2. Solved for (q1 - q0, v1, gamma, h lambda).
///
/// References: Gear, Leimkuhler & Gupta 1985; Kinon, Betsch & Schneider 2023 (GGL principle, constant mass);
/// the form for singular and variable mass is our own.
class LivensEmGgl : public ConstrainedStepper {
 public:
  LivensEmGgl(const SmoothSystem& system, double t0, const VectorX& state, double tEnd, double h,
              DiscreteGradient kind = DiscreteGradient::chainRule);

 private:
  void equations(const VectorX& x, VectorX& r, MatrixX& J) override;
  void finish(const VectorX& x) override;
  void predict(VectorX& x) override;
  void kinematics(const VectorX& x, VectorX& r, MatrixX& J);
  void momentum(const VectorX& x, VectorX& r, MatrixX& J);
  void constraints(const VectorX& x, VectorX& r, MatrixX& J);

  DiscreteGradients gradients_;
  DiscreteMass mass_;
  DiscretePotential potential_;
  DiscreteConstraint constraint_;
  VectorX multiplier_, gap_, deviation_, increment_;  // gamma or mu, g, e, dp
  MatrixX M0_, M1_, G0_, G1_, B_, hessian_, velocityDerivative_;
};

}  // namespace polhode
