#include "integrate/livens_midpoint.h"

namespace polhode {

LivensMidpoint::LivensMidpoint(const SmoothSystem& system, double t0, const VectorX& state, double tEnd, double h)
    : LivensMidpoint("livens-midpoint", system, t0, state, tEnd, h) {}

LivensMidpoint::LivensMidpoint(std::string name, const SmoothSystem& system, double t0, const VectorX& state,
                               double tEnd, double h)
    : ConstrainedStepper(std::move(name), system, t0, state, tEnd, h, system.coordinates() + system.constraints()),
      middle_(n_),
      velocity_(n_),
      gradient_(n_),
      impulse_(m_),
      M_(n_, n_),
      B_(n_, n_),
      K_(n_, n_),
      hessian_(n_, n_),
      G_(m_, n_) {}

void LivensMidpoint::equations(const VectorX& x, VectorX& r, MatrixX& J) {
  middle_ = 0.5 * (q0_ + q1_);
  velocity_ = x.head(n_) / h_;
  impulse_ = x.tail(m_);
  system_.mass(middle_, M_);
  system_.massDerivative(middle_, velocity_, B_);
  system_.massCurvature(middle_, velocity_, velocity_, K_);

  // momentum: 2 M vm - 2 p0 = h d_q T - h grad V - G^T mu, with d_q T = B^T vm / 2
  system_.potentialGradient(middleTime(), middle_, gradient_);
  system_.potentialHessian(middleTime(), middle_, hessian_);
  r.head(n_) = 2 * (M_ * velocity_ - p0_) - h_ * (0.5 * (B_.transpose() * velocity_) - gradient_);
  auto byStep = J.topLeftCorner(n_, n_);
  byStep = (2 / h_) * M_ + B_ - B_.transpose() - (0.25 * h_) * K_ + (0.5 * h_) * hessian_;
  if (m_ > 0) {
    system_.constraintJacobian(middle_, G_);
    system_.constraintHessian(middle_, impulse_, hessian_);
    r.head(n_).noalias() += G_.transpose() * impulse_;
    byStep += 0.5 * hessian_;
    J.topRightCorner(n_, m_) = G_.transpose();
  }
  subtractAppliedForce(x, r.head(n_), byStep);
  writeEndConstraint(r, J);
}

void LivensMidpoint::finish(const VectorX& x) {
  velocity_ = x.head(n_) / h_;
  v1_ = 2 * velocity_ - v0_;
  middle_ = 0.5 * (q0_ + q1_);
  system_.mass(middle_, M_);
  p1_ = 2 * (M_ * velocity_) - p0_;
}

}  // namespace polhode
