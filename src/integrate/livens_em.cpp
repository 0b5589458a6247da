#include "integrate/livens_em.h"

namespace polhode {

LivensEm::LivensEm(const SmoothSystem& system, double t0, const VectorX& state, double tEnd, double h,
                   DiscreteGradient kind)
    : ConstrainedStepper(kind == DiscreteGradient::chainRule ? "livens-em-chain" : "livens-em", system, t0, state, tEnd,
                         h, system.coordinates() + system.constraints()),
      gradients_(system, kind),
      kinetic_(n_),
      potential_(n_),
      constraint_(n_, m_),
      impulse_(m_) {}

void LivensEm::equations(const VectorX& x, VectorX& r, MatrixX& J) {
  endVelocity(x);
  impulse_ = x.tail(m_);
  gradients_.kinetic(q0_, v0_, q1_, v1_, kinetic_);
  gradients_.potential(middleTime(), q0_, q1_, potential_);
  gradients_.constraint(q0_, q1_, impulse_, constraint_);

  // (72b) with (72c): p1 - p0 = 2 d_v T - 2 p0
  r.head(n_) = 2 * (kinetic_.byVelocity - p0_) - h_ * (kinetic_.byPosition - potential_.gradient);
  r.head(n_).noalias() += constraint_.jacobian.transpose() * impulse_;
  auto byStep = J.topLeftCorner(n_, n_);
  byStep = 2 * kinetic_.velocityByQ1 + (4 / h_) * kinetic_.velocityByV1 - h_ * kinetic_.positionByQ1 -
           2 * kinetic_.positionByV1 + h_ * potential_.byQ1 + constraint_.forceByQ1;
  J.topRightCorner(n_, m_) = constraint_.jacobian.transpose();
  subtractAppliedForce(x, r.head(n_), byStep);
  writeEndConstraint(r, J);  // (72d)
}

void LivensEm::finish(const VectorX& x) {
  endVelocity(x);
  gradients_.kinetic(q0_, v0_, q1_, v1_, kinetic_);
  p1_ = 2 * kinetic_.byVelocity - p0_;
}

}  // namespace polhode
