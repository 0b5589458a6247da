#pragma once

#include "polhode/math/types.h"

#include <string>

namespace polhode {

/// A mechanical system with holonomic constraints, as integrators for constrained systems see it:
///
///     M(q) v' = f(q, v, t) + psi_M(q, v) - G(q)^T lambda,   q' = v,   g(q) = 0
///
/// with the kinetic energy v^T M(q) v / 2, applied forces f = -grad V + ..., the mass skew term
/// psi_M = grad_q(v^T M v)/2 - grad_q(M v) v, and G = dg/dq (Lang 2010, (1), (2); Kinon & Betsch 2024,
/// section 2). M may be singular and may depend on q. Matrices and vectors handed in for results have the
/// right size.
class ConstrainedSystem {
 public:
  virtual ~ConstrainedSystem() = default;

  virtual std::string name() const = 0;
  virtual int coordinates() const = 0;  // number of q
  virtual int constraints() const = 0;  // number of rows of g

  virtual void mass(const VectorX& q, MatrixX& M) const = 0;
  virtual double potential(double t, const VectorX& q) const = 0;

  /// f + psi_M: everything on the right-hand side but the constraint forces, Lang (2).
  virtual void forces(double t, const VectorX& q, const VectorX& v, VectorX& psi) const = 0;

  virtual void constraint(const VectorX& q, VectorX& g) const = 0;
  virtual void constraintJacobian(const VectorX& q, MatrixX& G) const = 0;

  /// g^II = d2g/dq2 [v, v], so that g'' = G v' + g^II.
  virtual void constraintAcceleration(const VectorX& q, const VectorX& v, VectorX& gII) const = 0;

  // Constraints that depend on time as well, g(t, q), as those of driven joints: the same at a time, where
  // g' = G v + g_t and g'' = G v' + g^II with all of the derivatives by time in g^II.
  virtual void constraintAt(double /*t*/, const VectorX& q, VectorX& g) const { constraint(q, g); }
  virtual void constraintJacobianAt(double /*t*/, const VectorX& q, MatrixX& G) const { constraintJacobian(q, G); }
  virtual void constraintRateAt(double /*t*/, const VectorX& /*q*/, VectorX& gt) const { gt.setZero(); }
  virtual void constraintAccelerationAt(double /*t*/, const VectorX& q, const VectorX& v, VectorX& gII) const {
    constraintAcceleration(q, v, gII);
  }
};

}  // namespace polhode
