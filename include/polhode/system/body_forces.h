#pragma once

#include "polhode/math/types.h"

/// What a single rigid body is, and what acts on it, before any coordinates are chosen.
namespace polhode {

/// A rigid body about a reference point: its centre of mass when it translates, a point fixed in space when
/// not.
struct RigidBodyData {
  double mass = 0.0;
  Vector3 inertia = Vector3::Zero();            // principal moments about the reference point
  Vector3 centre = Vector3::Zero();             // centre of mass from the reference point, in principal axes
  bool translates = false;                      // false: the reference point is fixed in space
  Vector3 referencePosition = Vector3::Zero();  // where the reference point is, if it is fixed
};

/// Forces on a body as functions of its reference point x and its principal axes D = (d1 | d2 | d3). D need
/// not be orthonormal: drifted states and mean directors are allowed.
class BodyForces {
 public:
  virtual ~BodyForces() = default;

  virtual double potential(double t, const Vector3& x, const Matrix3& D) const = 0;

  /// force = -dV/dx and directorForce = -dV/dD, whose column i belongs to d_i, with what has no potential
  /// added.
  virtual void forces(double t, const Vector3& x, const Matrix3& D, Vector3& force,
                      Matrix3& directorForce) const = 0;
};

}  // namespace polhode
