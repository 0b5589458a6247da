#include "integrate/hamilton_em.h"

#include "integrate/fitting.h"

namespace polhode {

HamiltonEm::HamiltonEm(const SmoothSystem& system, double t0, const VectorX& state, double tEnd, double h)
    : ConstrainedStepper("hamilton-em", system, t0, state, tEnd, h, 2 * system.coordinates() + system.constraints()),
      gradients_(system, DiscreteGradient::gonzalez),
      potential_(n_),
      constraint_(n_, m_),
      middle_(n_),
      velocity_(n_),
      impulse_(m_) {
  for (MatrixX* matrix : {&inverse0_, &inverseMiddle_, &inverse1_, &increment_, &B_, &K_, &hessian_})
    matrix->setZero(n_, n_);
  requireFit("hamilton-em", system, q());
}

void HamiltonEm::predict(VectorX& x) {
  x.segment(n_, n_) = p0_;
}

void HamiltonEm::evaluateMasses(const VectorX& d) {
  middle_ = q0_ + 0.5 * d;
  system_.mass(q0_, B_);
  inverse0_ = B_.inverse();
  system_.mass(middle_, B_);
  inverseMiddle_ = B_.inverse();
  system_.mass(q1_, B_);
  inverse1_ = B_.inverse();
  system_.massIncrement(q0_, q1_, increment_);
}

/// c(q) = p^T M(q)^-1 p / 2 with v = M^-1 p and B = d(M v)/dq:
/// c' = -B^T v / 2, c'' = -K(v, v)/2 + B^T M^-1 B, dc'/dp = -B^T M^-1, c(q1) - c(q0) = -w1^T dM w0 / 2, w =
/// M^-1 p.
void HamiltonEm::coenergy(const VectorX& d, const VectorX& p, Coenergy& result) {
  const double square = d.squaredNorm();
  const VectorX direction = square > 0 ? VectorX(d / square) : VectorX::Zero(n_);
  const VectorX w0 = inverse0_ * p, w1 = inverse1_ * p;

  // at the end
  system_.massDerivative(q1_, w1, B_);
  const VectorX endGradient = -0.5 * (B_.transpose() * w1);

  // at the middle
  velocity_ = inverseMiddle_ * p;
  system_.massDerivative(middle_, velocity_, B_);
  system_.massCurvature(middle_, velocity_, velocity_, K_);
  hessian_ = B_.transpose() * inverseMiddle_ * B_ - 0.5 * K_;
  result.gradient = -0.5 * (B_.transpose() * velocity_);
  result.byP = -B_.transpose() * inverseMiddle_;

  // the correction of (71) along d
  const double c = -0.5 * w1.dot(increment_ * w0) - result.gradient.dot(d);
  result.byQ1 = 0.5 * hessian_ + direction * (endGradient - result.gradient - 0.5 * (hessian_ * d)).transpose() -
                (2 * c) * direction * direction.transpose();
  if (square > 0) result.byQ1.diagonal().array() += c / square;
  const VectorX byMomentum = w1 - w0 - result.byP.transpose() * d;
  result.byP += direction * byMomentum.transpose();
  result.gradient += c * direction;
}

void HamiltonEm::equations(const VectorX& x, VectorX& r, MatrixX& J) {
  const VectorX d = x.head(n_), pm = 0.5 * (p0_ + x.segment(n_, n_));
  p1_ = x.segment(n_, n_);
  impulse_ = x.tail(m_);
  evaluateMasses(d);
  J.setZero();

  // velocity: d = h (M0^-1 + M1^-1)/2 pm; d(M1^-1 pm)/dq1 = -M1^-1 d(M1 w)/dq1, w = M1^-1 pm
  const MatrixX meanInverse = 0.5 * (inverse0_ + inverse1_);
  const VectorX w = inverse1_ * pm;
  system_.massDerivative(q1_, w, B_);
  r.head(n_) = d - h_ * (meanInverse * pm);
  J.topLeftCorner(n_, n_) = MatrixX::Identity(n_, n_) + (0.5 * h_) * (inverse1_ * B_);
  J.block(0, n_, n_, n_) = (-0.5 * h_) * meanInverse;

  // momentum
  coenergy(d, p0_, startMomentum_);
  coenergy(d, p1_, endMomentum_);
  gradients_.potential(middleTime(), q0_, q1_, potential_);
  gradients_.constraint(q0_, q1_, impulse_, constraint_);
  r.segment(n_, n_) = p1_ - p0_ + (0.5 * h_) * (startMomentum_.gradient + endMomentum_.gradient) +
                      h_ * potential_.gradient + constraint_.jacobian.transpose() * impulse_;
  J.block(n_, 0, n_, n_) =
      (0.5 * h_) * (startMomentum_.byQ1 + endMomentum_.byQ1) + h_ * potential_.byQ1 + constraint_.forceByQ1;
  J.block(n_, n_, n_, n_) = MatrixX::Identity(n_, n_) + (0.5 * h_) * endMomentum_.byP;
  J.block(n_, 2 * n_, n_, m_) = constraint_.jacobian.transpose();
  subtractAppliedForce(x, r.segment(n_, n_), J.block(n_, 0, n_, n_));
  writeEndConstraint(r, J);
}

void HamiltonEm::finish(const VectorX& x) {
  p1_ = x.segment(n_, n_);
  system_.mass(q1_, B_);
  v1_ = B_.partialPivLu().solve(p1_);
}

}  // namespace polhode
