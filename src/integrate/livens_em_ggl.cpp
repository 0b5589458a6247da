#include "polhode/integrate/livens_em_ggl.h"

#include "polhode/integrate/fitting.h"

namespace polhode {

LivensEmGgl::LivensEmGgl(const SmoothSystem& system, double t0, const VectorX& state, double tEnd, double h,
                         DiscreteGradient kind)
    : ConstrainedStepper("livens-em-ggl", system, t0, state, tEnd, h,
                         2 * system.coordinates() + 2 * system.constraints()),
      gradients_(system, kind),
      mass_(n_),
      potential_(n_),
      constraint_(n_, m_),
      multiplier_(m_),
      gap_(m_),
      deviation_(n_),
      increment_(n_),
      M0_(n_, n_),
      M1_(n_, n_),
      G0_(m_, n_),
      G1_(m_, n_),
      B_(n_, n_),
      hessian_(n_, n_),
      velocityDerivative_(m_, n_) {
  requireVelocityConstraint("livens-em-ggl", system, q(), v());
}

void LivensEmGgl::predict(VectorX& x) {
  x.segment(n_, n_) = (2 / h_) * x.head(n_) - v0_;
}

void LivensEmGgl::equations(const VectorX& x, VectorX& r, MatrixX& J) {
  v1_ = x.segment(n_, n_);
  system_.mass(q0_, M0_);
  system_.mass(q1_, M1_);
  system_.constraintJacobian(q0_, G0_);
  system_.constraintJacobian(q1_, G1_);
  J.setZero();
  kinematics(x, r, J);
  momentum(x, r, J);
  constraints(x, r, J);
}

/// Mm e = Gm^T gamma
void LivensEmGgl::kinematics(const VectorX& x, VectorX& r, MatrixX& J) {
  deviation_ = x.head(n_) - (0.5 * h_) * (v0_ + v1_);
  multiplier_ = x.segment(2 * n_, m_);
  system_.massDerivative(q1_, deviation_, B_);

  r.head(n_) = 0.5 * ((M0_ + M1_) * deviation_ - (G0_ + G1_).transpose() * multiplier_);
  J.topLeftCorner(n_, n_) = 0.5 * (M0_ + M1_ + B_);
  J.block(0, n_, n_, n_) = (-0.25 * h_) * (M0_ + M1_);
  J.block(0, 2 * n_, n_, m_) = -0.5 * (G0_ + G1_).transpose();
  if (m_ > 0) {
    system_.constraintHessian(q1_, multiplier_, hessian_);
    J.topLeftCorner(n_, n_) -= 0.5 * hessian_;
  }
}

/// dp - h (grad_q(v0^T M v1 / 2) - grad V) + G^T mu - (e.dp) d/|d|^2 = 0
void LivensEmGgl::momentum(const VectorX& x, VectorX& r, MatrixX& J) {
  multiplier_ = x.tail(m_);
  gradients_.mass(q0_, q1_, v0_, v1_, mass_);
  gradients_.potential(middleTime(), q0_, q1_, potential_);
  gradients_.constraint(q0_, q1_, multiplier_, constraint_);
  system_.massDerivative(q1_, v1_, B_);
  increment_ = M1_ * v1_ - p0_;

  auto rows = r.segment(n_, n_);
  auto byStep = J.block(n_, 0, n_, n_);
  auto byVelocity = J.block(n_, n_, n_, n_);
  rows = increment_ - h_ * (mass_.gradient - potential_.gradient) +
         constraint_.jacobian.transpose() * multiplier_;
  byStep = B_ - h_ * mass_.byQ1 + h_ * potential_.byQ1 + constraint_.forceByQ1;
  byVelocity = M1_ - h_ * mass_.byB;
  J.block(n_, 2 * n_ + m_, n_, m_) = constraint_.jacobian.transpose();

  // the energy that e takes is given back along d
  if (const double square = x.head(n_).squaredNorm(); square > 0) {
    const VectorX direction = x.head(n_) / square;
    const double work = deviation_.dot(increment_);
    rows -= work * direction;
    byStep -= direction * (increment_ + B_.transpose() * deviation_).transpose() -
              (2 * work) * direction * direction.transpose();
    byStep.diagonal().array() -= work / square;
    byVelocity -= direction * (M1_ * deviation_ - (0.5 * h_) * increment_).transpose();
  }
  if (system_.hasAppliedForce()) {
    evaluateAppliedForce(0.5 * (q0_ + q1_), x.head(n_) / h_);
    rows -= h_ * force_;
    byStep -= 0.5 * h_ * forceByQ_ + forceByV_;
  }
}

/// g(q1) = 0 and G(q1) v1 = 0
void LivensEmGgl::constraints(const VectorX&, VectorX& r, MatrixX& J) {
  system_.constraint(q1_, gap_);
  system_.constraintVelocityDerivative(q1_, v1_, velocityDerivative_);
  r.segment(2 * n_, m_) = gap_;
  J.block(2 * n_, 0, m_, n_) = G1_;
  r.tail(m_) = h_ * (G1_ * v1_);
  J.block(2 * n_ + m_, 0, m_, n_) = h_ * velocityDerivative_;
  J.block(2 * n_ + m_, n_, m_, n_) = h_ * G1_;
}

void LivensEmGgl::finish(const VectorX& x) {
  v1_ = x.segment(n_, n_);
  system_.mass(q1_, M1_);
  p1_ = M1_ * v1_;
}

}  // namespace polhode
