#pragma once

#include "math/spurrier_klumpp.h"
#include "polhode/model/model.h"
#include "system/body_equations.h"

#include <memory>

namespace polhode {

/// A model's body about its reference point and in its principal axes, and the way back.
///
/// The reference point is the fixed point of a body on a spherical joint to ground, otherwise the centre of
/// mass. Principal axes are the body's own where its inertia about that point is diagonal already, so that
/// nothing is permuted. A free body on which only uniform gravity acts has a centre of mass that moves on a
/// parabola and does not know of the rotation: `parabola` is set and the body's equations leave translation
/// out.
class PrincipalBody {
 public:
  /// Whether the model is one body, free or on one spherical joint to ground, with springs to ground at most.
  static bool fits(const Model& model);

  /// Throws InputError where the model is anything else.
  explicit PrincipalBody(const Model& model);

  const RigidBodyData& data() const { return data_; }
  const UniformGravity& gravity() const { return gravity_; }
  std::shared_ptr<const BodyForces> otherForces() const { return otherForces_; }
  std::shared_ptr<const BodyForces> allForces() const;  // gravity and the others

  /// The motion at t = 0.
  BodyMotion initialMotion() const;

  /// The model's body (centre of mass, body axes) in a given motion of the reference point and principal
  /// axes. The orientation is as long as the coordinates left it.
  Body bodyAt(double t, const BodyMotion& motion) const;

  /// By what a motion is judged.
  struct Sums {
    double kineticEnergy, potentialEnergy;
    Vector3 linearMomentum, angularMomentum;  // about the origin of space
    Vector3 centre;                           // of mass
  };
  Sums sums(double t, const BodyMotion& motion) const;

 private:
  Vector3 centrePosition(double t, const BodyMotion& motion) const;
  Vector3 centreVelocity(double t, const BodyMotion& motion) const;

  Body body_;
  Vector3 fieldStrength_;  // g
  RigidBodyData data_;
  bool parabola_ = false;
  Matrix3 axes_ = Matrix3::Identity();     // principal axes in the body frame, columns
  Quaternion axesQuaternion_{1, 0, 0, 0};  // the same rotation
  Matrix3 inertiaAlongAxes_;               // about the centre of mass, along the principal axes
  UniformGravity gravity_;
  std::shared_ptr<const BodyForces> otherForces_;
};

}  // namespace polhode
