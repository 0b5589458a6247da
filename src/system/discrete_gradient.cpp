#include "system/discrete_gradient.h"

namespace polhode {

DiscreteGradients::DiscreteGradients(const SmoothSystem& system, DiscreteGradient kind)
    : system_(system), kind_(kind), half_(system.coordinates()) {
  const int n = system.coordinates(), m = system.constraints();
  for (MatrixX* matrix : {&M0_, &M1_, &dM_, &B_, &Bend_, &hessian_}) matrix->setZero(n, n);
  for (VectorX* vector : {&step_, &middle_, &direction_, &end_}) vector->setZero(n);
  slope_.setZero(m);
}

void DiscreteGradients::setStep(const VectorX& q0, const VectorX& q1) {
  step_ = q1 - q0;
  middle_ = 0.5 * (q0 + q1);
  const double square = step_.squaredNorm();
  squaredInverse_ = square > 0 ? 1 / square : 0;
  direction_ = squaredInverse_ * step_;
}

/// (71) and its derivative: adds c d/|d|^2 with c = increment - f'(qm).d to the gradient at the middle;
/// `byQ1` comes in as half the Hessian there. dc/dq1 = f'(q1) - f'(qm) - f''(qm) d / 2.
void DiscreteGradients::correct(double increment, const VectorX& endGradient, const MatrixX& middleHessian,
                                VectorX& gradient, MatrixX& byQ1) {
  const double c = increment - gradient.dot(step_);
  byQ1.noalias() = 0.5 * middleHessian;
  byQ1.noalias() += direction_ * (endGradient - gradient - 0.5 * (middleHessian * step_)).transpose();
  byQ1.noalias() -= (2 * c) * direction_ * direction_.transpose();
  byQ1.diagonal().array() += c * squaredInverse_;
  gradient += c * direction_;
}

void DiscreteGradients::potential(double t, const VectorX& q0, const VectorX& q1, DiscretePotential& result) {
  if (kind_ != DiscreteGradient::gonzalez) return system_.chainRulePotential(t, q0, q1, result);
  setStep(q0, q1);
  system_.potentialGradient(t, middle_, result.gradient);
  system_.potentialHessian(t, middle_, hessian_);
  system_.potentialGradient(t, q1, end_);
  correct(system_.potentialIncrement(t, q0, q1), end_, hessian_, result.gradient, result.byQ1);
}

void DiscreteGradients::mass(const VectorX& q0, const VectorX& q1, const VectorX& a, const VectorX& b,
                             DiscreteMass& result) {
  if (kind_ == DiscreteGradient::chainRule) return system_.chainRuleMass(q0, q1, a, b, result);
  setStep(q0, q1);
  system_.massIncrement(q0, q1, dM_);
  system_.massDerivative(middle_, a, B_);
  system_.massDerivative(q1, a, Bend_);
  system_.massCurvature(middle_, a, b, hessian_);

  // linear in b: the Gonzalez gradient of M(.) a, transposed
  result.byB = 0.5 * B_.transpose();
  result.byB.noalias() += 0.5 * direction_ * (dM_ * a - B_ * step_).transpose();

  // in q
  end_.noalias() = 0.5 * (Bend_.transpose() * b);
  hessian_ *= 0.5;
  result.gradient.noalias() = 0.5 * (B_.transpose() * b);
  correct(0.5 * a.dot(dM_ * b), end_, hessian_, result.gradient, result.byQ1);
}

void DiscreteGradients::kinetic(const VectorX& q0, const VectorX& v0, const VectorX& q1, const VectorX& v1,
                                DiscreteKinetic& result) {
  if (kind_ == DiscreteGradient::chainRule) return system_.chainRuleKinetic(q0, v0, q1, v1, result);

  // (129), (130): positions, at both velocities
  mass(q0, q1, v0, v0, half_);
  result.byPosition = 0.5 * half_.gradient;
  result.positionByQ1 = 0.5 * half_.byQ1;
  mass(q0, q1, v1, v1, half_);
  result.byPosition += 0.5 * half_.gradient;
  result.positionByQ1 += 0.5 * half_.byQ1;
  result.positionByV1 = half_.byB;  // twice, since v1 stands on both sides, times one half

  // (129), (131): velocities
  system_.mass(q0, M0_);
  system_.mass(q1, M1_);
  end_ = 0.5 * (v0 + v1);
  system_.massDerivative(q1, end_, Bend_);
  result.velocityByV1 = 0.25 * (M0_ + M1_);
  result.byVelocity.noalias() = 2 * (result.velocityByV1 * end_);
  result.velocityByQ1 = 0.5 * Bend_;
}

void DiscreteGradients::constraint(const VectorX& q0, const VectorX& q1, const VectorX& lambda,
                                   DiscreteConstraint& result) {
  if (kind_ != DiscreteGradient::gonzalez) return system_.chainRuleConstraint(q0, q1, lambda, result);
  if (lambda.size() == 0) return result.forceByQ1.setZero(), void();
  setStep(q0, q1);

  // the sum lambda . g is one function: its derivative first
  system_.constraintJacobian(q1, result.jacobian);
  end_.noalias() = result.jacobian.transpose() * lambda;
  system_.constraintJacobian(middle_, result.jacobian);
  system_.constraintHessian(middle_, lambda, hessian_);
  system_.constraintIncrement(q0, q1, slope_);
  VectorX& force = half_.gradient;
  force.noalias() = result.jacobian.transpose() * lambda;
  correct(lambda.dot(slope_), end_, hessian_, force, result.forceByQ1);

  // then each row
  slope_ -= result.jacobian * step_;
  result.jacobian.noalias() += slope_ * direction_.transpose();
}

}  // namespace polhode
