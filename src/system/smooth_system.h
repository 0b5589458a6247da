#pragma once

#include "system/constrained_system.h"

namespace polhode {

/// The partitioned discrete derivatives of T(q, v) = v^T M(q) v / 2 over a step (q0, v0) -> (q1, v1),
///
///     byPosition . (q1 - q0) + byVelocity . (v1 - v0) = T(q1, v1) - T(q0, v0)      Kinon & Betsch 2024, (73)
///
/// and their derivatives with respect to the end of the step.
struct DiscreteKinetic {
  explicit DiscreteKinetic(int n)
      : byPosition(n), byVelocity(n), positionByQ1(n, n), positionByV1(n, n), velocityByQ1(n, n), velocityByV1(n, n) {}

  VectorX byPosition, byVelocity;
  MatrixX positionByQ1, positionByV1;  // d byPosition / d q1, d v1
  MatrixX velocityByQ1, velocityByV1;  // d byVelocity / d q1, d v1
};

/// The discrete gradient over q of a^T M(q) b / 2 with a and b held fixed, and its derivatives.
struct DiscreteMass {
  explicit DiscreteMass(int n) : gradient(n), byQ1(n, n), byB(n, n) {}

  VectorX gradient;
  MatrixX byQ1, byB;
};

/// The discrete gradient of V over a step, and its derivative with respect to q1.
struct DiscretePotential {
  explicit DiscretePotential(int n) : gradient(n), byQ1(n, n) {}

  VectorX gradient;
  MatrixX byQ1;
};

/// The discrete gradients of the constraints over a step, one a row, and d(jacobian^T lambda)/d q1.
struct DiscreteConstraint {
  DiscreteConstraint(int n, int m) : jacobian(m, n), forceByQ1(n, n) {}

  MatrixX jacobian;
  MatrixX forceByQ1;
};

/// A constrained system that also knows the derivatives which implicit conserving integrators need, all
/// exact:
///
///     d/dt (M(q) v) = d_q T(q, v) - grad V(t, q) + f(t, q, v) - G(q)^T lambda,   T = v^T M(q) v / 2
///
/// f are applied forces without a potential (damping, loads). `UserSystem` derives everything here from M, V,
/// g.
class SmoothSystem : public ConstrainedSystem {
 public:
  /// B = d(M(q) a)/dq, so that d_q(a^T M b / 2) = B^T b / 2.
  virtual void massDerivative(const VectorX& q, const VectorX& a, MatrixX& B) const = 0;

  /// K = d2(a^T M(q) b)/dq2.
  virtual void massCurvature(const VectorX& q, const VectorX& a, const VectorX& b, MatrixX& K) const = 0;

  virtual void potentialGradient(double t, const VectorX& q, VectorX& gradient) const = 0;
  virtual void potentialHessian(double t, const VectorX& q, MatrixX& hessian) const = 0;

  /// d2(lambda . g)/dq2.
  virtual void constraintHessian(const VectorX& q, const VectorX& lambda, MatrixX& hessian) const = 0;

  /// d(G(q) v)/dq, one row for each constraint.
  virtual void constraintVelocityDerivative(const VectorX& q, const VectorX& v, MatrixX& D) const = 0;

  /// d2(lambda . G(q) v)/dq2.
  virtual void constraintVelocityCurvature(const VectorX& q, const VectorX& v, const VectorX& lambda,
                                           MatrixX& K) const = 0;

  /// Whether f is there at all; without it energy is conserved, with it energy balances the work f . dq.
  virtual bool hasAppliedForce() const = 0;

  /// The applied force f and its derivatives with respect to q and v.
  virtual void appliedForce(double t, const VectorX& q, const VectorX& v, VectorX& f, MatrixX& byQ,
                            MatrixX& byV) const = 0;

  /// The increments V(q1) - V(q0), M(q1) - M(q0), g(q1) - g(q0), without the cancellation of a subtraction.
  virtual double potentialIncrement(double t, const VectorX& q0, const VectorX& q1) const = 0;
  virtual void massIncrement(const VectorX& q0, const VectorX& q1, MatrixX& dM) const = 0;
  virtual void constraintIncrement(const VectorX& q0, const VectorX& q1, VectorX& dg) const = 0;

  /// Discrete derivatives by the chain rule, see math/discrete_dual.h.
  virtual void chainRuleKinetic(const VectorX& q0, const VectorX& v0, const VectorX& q1, const VectorX& v1,
                                DiscreteKinetic& result) const = 0;
  virtual void chainRuleMass(const VectorX& q0, const VectorX& q1, const VectorX& a, const VectorX& b,
                             DiscreteMass& result) const = 0;
  virtual void chainRulePotential(double t, const VectorX& q0, const VectorX& q1, DiscretePotential& result) const = 0;
  virtual void chainRuleConstraint(const VectorX& q0, const VectorX& q1, const VectorX& lambda,
                                   DiscreteConstraint& result) const = 0;
};

}  // namespace polhode
