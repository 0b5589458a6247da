#include "integrate/variational_midpoint.h"

namespace polhode {

VariationalMidpoint::VariationalMidpoint(const SmoothSystem& system, double t0, const VectorX& state, double tEnd,
                                         double h)
    : ConstrainedStepper("variational-midpoint", system, t0, state, tEnd, h,
                         system.coordinates() + system.constraints()),
      middle_(n_),
      velocity_(n_),
      momentum_(n_),
      slope_(n_),
      M_(n_, n_),
      B_(n_, n_),
      K_(n_, n_),
      hessian_(n_, n_),
      G_(m_, n_),
      saddle_(n_ + m_, n_ + m_),
      saddleRight_(n_ + m_),
      saddleFactors_(n_ + m_) {}

/// M(qm) vm and d_q L(qm, vm) + f(tm, qm, vm).
void VariationalMidpoint::evaluateMiddle(const VectorX& d) {
  middle_ = q0_ + 0.5 * d;
  velocity_ = d / h_;
  system_.mass(middle_, M_);
  system_.massDerivative(middle_, velocity_, B_);
  system_.potentialGradient(middleTime(), middle_, slope_);
  evaluateAppliedForce(middle_, velocity_);
  momentum_ = M_ * velocity_;
  slope_ = 0.5 * (B_.transpose() * velocity_) - slope_ + force_;
}

void VariationalMidpoint::equations(const VectorX& x, VectorX& r, MatrixX& J) {
  evaluateMiddle(x.head(n_));
  system_.massCurvature(middle_, velocity_, velocity_, K_);
  system_.potentialHessian(middleTime(), middle_, hessian_);

  // discrete Euler-Lagrange equations; the derivative of d_q T(qm, vm) by d is K/4 + B^T/h
  system_.constraintJacobian(q0_, G_);
  r.head(n_) = momentum_ - p0_ - (0.5 * h_) * slope_ + G_.transpose() * x.tail(m_);
  J.topLeftCorner(n_, n_) = M_ / h_ + 0.5 * (B_ - B_.transpose()) - (0.125 * h_) * K_ + (0.25 * h_) * hessian_ -
                            (0.25 * h_) * forceByQ_ - 0.5 * forceByV_;
  J.topRightCorner(n_, m_) = G_.transpose();
  writeEndConstraint(r, J);
}

void VariationalMidpoint::finish(const VectorX& x) {
  evaluateMiddle(x.head(n_));
  momentum_ += (0.5 * h_) * slope_;

  // M v1 + G^T nu = p-, G v1 = 0
  system_.mass(q1_, M_);
  system_.constraintJacobian(q1_, G_);
  saddle_.setZero();
  saddle_.topLeftCorner(n_, n_) = M_;
  saddle_.topRightCorner(n_, m_) = G_.transpose();
  saddle_.bottomLeftCorner(m_, n_) = G_;
  saddleRight_.setZero();
  saddleRight_.head(n_) = momentum_;
  saddleFactors_.compute(saddle_);
  saddleRight_ = saddleFactors_.solve(saddleRight_).eval();
  v1_ = saddleRight_.head(n_);
  p1_ = momentum_ - G_.transpose() * saddleRight_.tail(m_);
}

}  // namespace polhode
