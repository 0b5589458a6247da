#include "polhode/integrate/livens_em_ggl.h"

#include "polhode/integrate/fitting.h"

namespace polhode {

LivensEmGgl::LivensEmGgl(const SmoothSystem& system, double t0, const VectorX& state, double tEnd, double h,
                         DiscreteGradient kind)
    : ConstrainedStepper("livens-em-ggl", system, t0, state, tEnd, h,
                         2 * system.coordinates() + 2 * system.constraints()),
      gradients_(system, kind),
      kinetic_(n_),
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

/// dp - h d_q L + sum_k mu_k grad g_k - (e.dp) d/|d|^2 = 0 with dp = 2 d_v L - 2 p0
void LivensEmGgl::momentum(const VectorX& x, VectorX& r, MatrixX& J) {
  multiplier_ = x.tail(m_);
  gradients_.kinetic(q0_, v0_, q1_, v1_, kinetic_);
  gradients_.potential(middleTime(), q0_, q1_, potential_);
  gradients_.constraint(q0_, q1_, multiplier_, constraint_);
  increment_ = 2 * (kinetic_.byVelocity - p0_);

  auto rows = r.segment(n_, n_);
  auto byStep = J.block(n_, 0, n_, n_);
  auto byVelocity = J.block(n_, n_, n_, n_);
  rows = increment_ - h_ * (kinetic_.byPosition - potential_.gradient) +
         constraint_.jacobian.transpose() * multiplier_;
  byStep =
      2 * kinetic_.velocityByQ1 - h_ * kinetic_.positionByQ1 + h_ * potential_.byQ1 + constraint_.forceByQ1;
  byVelocity = 2 * kinetic_.velocityByV1 - h_ * kinetic_.positionByV1;
  J.block(n_, 2 * n_ + m_, n_, m_) = constraint_.jacobian.transpose();

  // the energy that e takes is given back along d
  if (const double square = x.head(n_).squaredNorm(); square > 0) {
    const VectorX direction = x.head(n_) / square;
    const double work = deviation_.dot(increment_);
    rows -= work * direction;
    byStep -= direction * (increment_ + 2 * (kinetic_.velocityByQ1.transpose() * deviation_)).transpose() -
              (2 * work) * direction * direction.transpose();
    byStep.diagonal().array() -= work / square;
    byVelocity -=
        direction *
        (2 * (kinetic_.velocityByV1.transpose() * deviation_) - (0.5 * h_) * increment_).transpose();
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
  gradients_.kinetic(q0_, v0_, q1_, v1_, kinetic_);
  p1_ = 2 * kinetic_.byVelocity - p0_;
}

}  // namespace polhode
