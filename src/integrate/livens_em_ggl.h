#pragma once

#include "integrate/constrained_stepper.h"

namespace polhode {

/// EML with Gear, Gupta & Leimkuhler's stabilisation: velocities satisfy the constraint at the ends of steps
/// as well. With d = q1 - q0 and the means Mm = (M(q0) + M(q1))/2, Gm = (G(q0) + G(q1))/2,
///
///     Mm e = Gm^T gamma,    e = d - h (v0 + v1)/2                    (72a) gives way by e
///     p1 - p0 = h d_q L - h sum_k lambda_k grad g_k + z,    z.d = e.(p1 - p0)
///     (p0 + p1)/2 = d_v L
///     g(q1) = 0,   G(q1) v1 = 0
///
/// e is O(h^3), zero without constraints and on linear ones: then this is `LivensEm`. Its equation is multiplied by M,
/// so that no mass matrix is inverted. z gives back the energy that e takes: with vm = (v0 + v1)/2,
///
///     z = d_q( e^T M(q) vm - gamma . G(q) vm ) at (q0 + q1)/2, corrected along d as in (71)
///
/// Any mass matrix; symmetric, order 2. Conserves exactly: the generalised energy, g(q) = 0, G(q) v = 0; with constant
/// mass and quadratic constraints linear momentum maps as well. The angular momentum of a quaternion body drifts by
/// O(h^6) where its kinetic energy is given in Omega (see UserSystem), else by O(h^4).
/// Solved for (d, v1, gamma, h lambda).
///
/// References: Gear, Leimkuhler & Gupta 1985; Kinon, Betsch & Schneider 2023 (GGL principle, constant mass),
/// to which Kinon & Betsch 2024 refer after (19). The form for singular and variable mass is our own.
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
  void giveEnergyBack(const VectorX& x, VectorX& r, MatrixX& J);
  void constraints(const VectorX& x, VectorX& r, MatrixX& J);

  DiscreteGradients gradients_;
  DiscreteKinetic kinetic_;
  DiscretePotential potential_;
  DiscreteConstraint constraint_;
  VectorX multiplier_, deviation_, increment_;  // gamma or mu, e, p1 - p0
  VectorX middle_, velocity_, returned_, alongStep_, alongVelocity_;
  MatrixX M0_, M1_, G0_, G1_, B_, K_, hessian_, velocityDerivative_;
};

}  // namespace polhode
