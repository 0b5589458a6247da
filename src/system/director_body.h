#pragma once

#include "system/body_forces.h"
#include "system/constrained_system.h"

#include <memory>

namespace polhode {

/// One rigid body in directors ("rotation-free"): q = (d) about a fixed point, q = (x, d) when it translates.
///
///     d    = (d1; d2; d3), the columns of R, stacked
///     M    = diag(m I3, E1 I3, E2 I3, E3 I3),   E1 = (I2 + I3 - I1)/2 and so on       Lang (17), (18)
///     psi  = (force, directorForce)                                                    Lang (22)
///     g(q) = orthonormality of the rows r1, r2, r3 of R, in the order                  Lang (19)
///            ((|r1|^2-1)/2, (|r2|^2-1)/2, (|r3|^2-1)/2, r1.r2, r3.r1, r2.r3)
///     g^II = (|r1'|^2, |r2'|^2, |r3'|^2, 2 r1'.r2', 2 r3'.r1', 2 r2'.r3')
///
/// Lang prints (19) and g^II in different orders; here there is one. M is constant, and singular for a flat
/// body (an E is zero), where the constraints make up for it.
///
/// Reference: Lang 2010, section 3.
class DirectorBody : public ConstrainedSystem {
 public:
  /// Throws InputError if no rigid body has these moments of inertia, or if a body that translates has no
  /// mass.
  DirectorBody(const RigidBodyData& body, std::shared_ptr<const BodyForces> forces);

  std::string name() const override { return "rigid body in directors"; }
  int coordinates() const override { return first_ + 9; }
  int constraints() const override { return 6; }

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
  Matrix3 directors(const VectorX& q) const;
  Vector3 angularVelocity(const VectorX& q, const VectorX& v) const;  // Omega, Lang (15), its skew part

 private:
  RigidBodyData body_;
  std::shared_ptr<const BodyForces> forces_;
  Vector3 E_;  // principal values of the Euler tensor, Lang (18)
  int first_;  // where d begins in q: 3 if the body translates, otherwise 0
};

}  // namespace polhode
