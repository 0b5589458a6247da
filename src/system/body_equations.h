#pragma once

#include "system/body_forces.h"
#include "system/coordinates.h"
#include "system/euler_equations.h"

#include <memory>

namespace polhode {

/// Where a body is and how it moves, whatever the coordinates: its reference point and its principal axes.
struct BodyMotion {
  Vector3 position = Vector3::Zero();          // of the reference point
  Matrix3 directors = Matrix3::Identity();     // as the coordinates give them, drift included
  Quaternion orientation{1.0, 0.0, 0.0, 0.0};  // of the principal axes; as long as the coordinates give it
  Vector3 velocity = Vector3::Zero();          // of the reference point
  Vector3 angularVelocity = Vector3::Zero();   // Omega, along the principal axes
};

/// The part that all formulations of one body share: its data and what acts on it.
class BodyEquations {
 public:
  BodyEquations(const RigidBodyData& body, const UniformGravity& gravity,
                std::shared_ptr<const BodyForces> otherForces = nullptr)
      : body_(body), euler_(body.inertia), gravity_(gravity), otherForces_(std::move(otherForces)) {}

  const RigidBodyData& body() const { return body_; }

  /// All forces, -dV/dx and -dV/dD.
  void forces(double t, const Vector3& x, const Matrix3& D, Vector3& force, Matrix3& directorForce) const;

  double potential(double t, const Vector3& x, const Matrix3& D) const;

  /// The multiplier of the unit length of a quaternion, lambda_p = <p, psi^p> (Lang (40)), by post-processing.
  VectorX quaternionMultipliers(double t, const BodyMotion& motion) const;

  /// The six multipliers of the director constraints in the order (11), (22), (33), (12), (31), (23), from
  /// Lambda = (Psi - D'' E) D^-1 (Lang (23)), by post-processing.
  VectorX directorMultipliers(double t, const BodyMotion& motion) const;

 protected:
  /// Torque in body axes and force on the reference point, in the coordinates q.
  template <class Coordinates>
  void load(double t, const Vector3& x, const Vector<double, Coordinates::Size>& q, Vector3& force,
            Vector3& torque) const {
    torque = gravity_.torque(Coordinates::bodyComponents(q, gravity_.weight()));
    force = gravity_.weight();
    if (otherForces_) addOtherForces(t, x, Coordinates::directors(q), force, torque);
  }
  void addOtherForces(double t, const Vector3& x, const Matrix3& D, Vector3& force, Vector3& torque) const;

  RigidBodyData body_;
  EulerEquations euler_;
  UniformGravity gravity_;
  std::shared_ptr<const BodyForces> otherForces_;
};

}  // namespace polhode
