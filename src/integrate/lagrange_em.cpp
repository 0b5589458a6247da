#include "integrate/lagrange_em.h"

namespace polhode {

LagrangeEm::LagrangeEm(const SmoothSystem& system, double t0, const VectorX& state, double tEnd, double h,
                       DiscreteGradient kind)
    : ConstrainedStepper("lagrange-em", system, t0, state, tEnd, h, system.coordinates() + system.constraints()),
      gradients_(system, kind),
      mass_(n_),
      potential_(n_),
      constraint_(n_, m_),
      impulse_(m_),
      M1_(n_, n_),
      B_(n_, n_) {}

void LagrangeEm::equations(const VectorX& x, VectorX& r, MatrixX& J) {
  endVelocity(x);
  impulse_ = x.tail(m_);
  system_.mass(q1_, M1_);
  system_.massDerivative(q1_, v1_, B_);
  gradients_.mass(q0_, q1_, v0_, v1_, mass_);
  gradients_.potential(middleTime(), q0_, q1_, potential_);
  gradients_.constraint(q0_, q1_, impulse_, constraint_);

  // momentum; v1 moves with d at the rate 2/h
  r.head(n_) =
      M1_ * v1_ - p0_ - h_ * (mass_.gradient - potential_.gradient) + constraint_.jacobian.transpose() * impulse_;
  auto byStep = J.topLeftCorner(n_, n_);
  byStep = B_ + (2 / h_) * M1_ - h_ * mass_.byQ1 - 2 * mass_.byB + h_ * potential_.byQ1 + constraint_.forceByQ1;
  J.topRightCorner(n_, m_) = constraint_.jacobian.transpose();
  subtractAppliedForce(x, r.head(n_), byStep);
  writeEndConstraint(r, J);
}

void LagrangeEm::finish(const VectorX& x) {
  endVelocity(x);
  system_.mass(q1_, M1_);
  p1_ = M1_ * v1_;
}

}  // namespace polhode
