#pragma once

#include "system/body_forces.h"
#include "system/constrained_system.h"

#include <memory>

namespace polhode {

/// One rigid body in quaternions: q = (p) about a fixed point, q = (x, p) when it translates.
///
///     M(q) = diag(m I3, M_p(p)),   M_p(p) = 4 Q(p) I Q(p)^T,   I = diag(0, I1, I2, I3)      Lang (31)
///     psi  = (force, Dphi(p)^T directorForce + 8 Q(p') I Q(p')^T p)                         Lang (33)
///     g(q) = (|p|^2 - 1)/2,   G = p^T,   g^II = |p'|^2                                      Lang (34), (36)
///
/// Q(p) is left multiplication by p. The zeroth moment of inertia is zero, so M_p is singular along p; the
/// constraint makes up for it: the matrix (38) is regular for p != 0. Since M_p p = 0 the multiplier of (35)
/// follows without differentiation, lambda = <p, psi>, and the index of (35) is 2, one lower than for regular
/// M.
///
/// Reference: Lang 2010, section 4.
class QuaternionBody : public ConstrainedSystem {
 public:
  /// Throws InputError if a moment of inertia (or the mass, if the body translates) is not positive.
  QuaternionBody(const RigidBodyData& body, std::shared_ptr<const BodyForces> forces);

  std::string name() const override { return "rigid body in quaternions"; }
  int coordinates() const override { return first_ + 4; }
  int constraints() const override { return 1; }

  void mass(const VectorX& q, MatrixX& M) const override;
  double potential(double t, const VectorX& q) const override;
  void forces(double t, const VectorX& q, const VectorX& v, VectorX& psi) const override;
  void constraint(const VectorX& q, VectorX& g) const override;
  void constraintJacobian(const VectorX& q, MatrixX& G) const override;
  void constraintAcceleration(const VectorX& q, const VectorX& v, VectorX& gII) const override;

  /// q of a reference point x and an orientation p; x is not used when the point is fixed.
  VectorX position(const Vector3& x, const Quaternion& p) const;
  /// v = q' of the velocity of the reference point and the angular velocity Omega in the body frame.
  VectorX velocity(const VectorX& q, const Vector3& xdot, const Vector3& Omega) const;

  Vector3 referencePoint(const VectorX& q) const;
  Matrix3 directors(const VectorX& q) const;                          // R, stretched by |p|^2
  Vector3 angularVelocity(const VectorX& q, const VectorX& v) const;  // Omega, in the body frame

 private:
  RigidBodyData body_;
  std::shared_ptr<const BodyForces> forces_;
  int first_;  // where p begins in q: 3 if the body translates, otherwise 0
};

}  // namespace polhode
