#pragma once

#include "system/constrained_system.h"
#include "system/mechanism_observation.h"

#include <memory>
#include <string>

namespace polhode {

/// A mechanism in absolute coordinates, q = (x_1, r_1, x_2, r_2, ...) with the coordinates r_i of each body's rotation:
///
///     M(q) = diag(m_i I3, M_i(r_i)),    g(q) = (equations of all joints; constraints of r_1, r_2, ...)
///
/// Joints and forces are written on the level of directors, z = (x, D); with D = phi(r) they are pulled back,
///
///     G = dg/dz Dphi,   g^II = d2g/dz2 [z', z'] + dg/dz D2phi[r', r'],   f = Dphi^T f_z          (Lang 2010, section 5)
///
/// where a torque is the director force f_z = hat(torque) D / 2. M may be singular (quaternions, thin rods, point
/// masses), and rows of G may depend on each other (closed loops). A direction of turning that nothing resists, neither
/// inertia nor a joint (a point mass, a thin rod about itself), is given an inertia that moves nothing else
/// (idle_turns.h).
class MechanismSystem : public ConstrainedSystem {
 public:
  const Mechanism& mechanism() const { return *mechanism_; }

  // At t = 0, where a joint is driven.
  void constraint(const VectorX& q, VectorX& g) const final { constraintAt(0.0, q, g); }
  void constraintJacobian(const VectorX& q, MatrixX& G) const final { constraintJacobianAt(0.0, q, G); }
  void constraintAcceleration(const VectorX& q, const VectorX& v, VectorX& gII) const final {
    constraintAccelerationAt(0.0, q, v, gII);
  }

  virtual VectorX position(const MechanismMotion& motion) const = 0;                    // q
  virtual VectorX velocity(const VectorX& q, const MechanismMotion& motion) const = 0;  // q'
  virtual MechanismMotion motion(const VectorX& q, const VectorX& v) const = 0;

  /// What a row of g belongs to: "joint 'knee'" or "body 'thigh'".
  virtual std::string rowOwner(int row) const = 0;

 protected:
  explicit MechanismSystem(std::shared_ptr<const Mechanism> mechanism) : mechanism_(std::move(mechanism)) {}

  std::shared_ptr<const Mechanism> mechanism_;
};

/// In coordinates "quaternion" (7 a body) or "director" (12 a body). Throws InputError for others, which have no
/// constraint and only a null-space form.
std::shared_ptr<const MechanismSystem> makeMechanismSystem(std::shared_ptr<const Mechanism> mechanism,
                                                           const std::string& coordinates);

}  // namespace polhode
