#pragma once

#include "system/mechanism.h"

namespace polhode {

/// A pull from outside that stays until it is changed: a force in space at a point of the body (principal axes, from the
/// centre of mass) and a torque in space.
struct BodyLoad {
  Vector3 point = Vector3::Zero(), force = Vector3::Zero(), torque = Vector3::Zero();

  BodyLoad() = default;
  /// With the point in the body's own axes, as in the model.
  BodyLoad(const MechanismBody& body, const Vector3& pointInBody, const Vector3& pull, const Vector3& turn)
      : point(body.axes.transpose() * pointInBody), force(pull), torque(turn) {}

  /// What it does to the body with directors D.
  Wrench wrench(const Matrix3& D) const { return {force, torque + (D * point).cross(force)}; }
};

}  // namespace polhode
