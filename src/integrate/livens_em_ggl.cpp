#include "integrate/livens_em_ggl.h"

#include "integrate/fitting.h"

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
      deviation_(n_),
      increment_(n_),
      middle_(n_),
      velocity_(n_),
      returned_(n_),
      alongStep_(n_),
      alongVelocity_(n_),
      M0_(n_, n_),
      M1_(n_, n_),
      G0_(m_, n_),
      G1_(m_, n_),
      B_(n_, n_),
      K_(n_, n_),
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

/// p1 - p0 - h d_q L + sum_k mu_k grad g_k - z = 0 with p1 - p0 = 2 d_v L - 2 p0
void LivensEmGgl::momentum(const VectorX& x, VectorX& r, MatrixX& J) {
  multiplier_ = x.tail(m_);
  gradients_.kinetic(q0_, v0_, q1_, v1_, kinetic_);
  gradients_.potential(middleTime(), q0_, q1_, potential_);
  gradients_.constraint(q0_, q1_, multiplier_, constraint_);
  increment_ = 2 * (kinetic_.byVelocity - p0_);

  auto rows = r.segment(n_, n_);
  auto byStep = J.block(n_, 0, n_, n_);
  rows = increment_ - h_ * (kinetic_.byPosition - potential_.gradient) + constraint_.jacobian.transpose() * multiplier_;
  byStep = 2 * kinetic_.velocityByQ1 - h_ * kinetic_.positionByQ1 + h_ * potential_.byQ1 + constraint_.forceByQ1;
  J.block(n_, n_, n_, n_) = 2 * kinetic_.velocityByV1 - h_ * kinetic_.positionByV1;
  J.block(n_, 2 * n_ + m_, n_, m_) = constraint_.jacobian.transpose();
  subtractAppliedForce(x, rows, byStep);
  if (m_ > 0) giveEnergyBack(x, r, J);
}

/// Subtracts z = y + (e.(p1 - p0) - y.d) d/|d|^2 with y = B(qm, vm)^T e - d_q(gamma . G vm)(qm), B = d(M
/// vm)/dq.
void LivensEmGgl::giveEnergyBack(const VectorX& x, VectorX& r, MatrixX& J) {
  const auto d = x.head(n_);
  middle_ = 0.5 * (q0_ + q1_);
  velocity_ = 0.5 * (v0_ + v1_);
  multiplier_ = x.segment(2 * n_, m_);
  auto rows = r.segment(n_, n_);
  auto byStep = J.block(n_, 0, n_, n_);
  auto byVelocity = J.block(n_, n_, n_, n_);
  auto byMultiplier = J.block(n_, 2 * n_, n_, m_);

  // y and its derivatives by d, v1 and gamma; e moves with d at the rate 1, with v1 at the rate -h/2
  system_.massDerivative(middle_, velocity_, B_);
  system_.constraintVelocityDerivative(middle_, velocity_, velocityDerivative_);
  returned_ = B_.transpose() * deviation_ - velocityDerivative_.transpose() * multiplier_;
  system_.massCurvature(middle_, velocity_, deviation_, K_);
  system_.constraintVelocityCurvature(middle_, velocity_, multiplier_, hessian_);
  MatrixX yByStep = B_.transpose() + 0.5 * (K_ - hessian_);
  MatrixX yByVelocity = (-0.5 * h_) * B_.transpose();
  system_.massDerivative(middle_, deviation_, B_);
  system_.constraintHessian(middle_, multiplier_, hessian_);
  yByVelocity += 0.5 * (B_.transpose() - hessian_);

  // the correction along d; c = e.(p1 - p0) - y.d
  const double square = d.squaredNorm();
  if (square == 0) return;
  const VectorX direction = d / square;
  const double c = deviation_.dot(increment_) - returned_.dot(d);
  alongStep_ = increment_ + 2 * (kinetic_.velocityByQ1.transpose() * deviation_) - returned_ - yByStep.transpose() * d;
  alongVelocity_ =
      2 * (kinetic_.velocityByV1.transpose() * deviation_) - (0.5 * h_) * increment_ - yByVelocity.transpose() * d;

  rows -= returned_ + c * direction;
  byStep -= yByStep + direction * alongStep_.transpose() - (2 * c) * direction * direction.transpose();
  byStep.diagonal().array() -= c / square;
  byVelocity -= yByVelocity + direction * alongVelocity_.transpose();
  byMultiplier += velocityDerivative_.transpose() - direction * (velocityDerivative_ * d).transpose();
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
