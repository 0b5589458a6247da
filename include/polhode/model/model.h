#pragma once

#include "polhode/math/types.h"
#include "polhode/model/actuator.h"
#include "polhode/model/coupling.h"
#include "polhode/model/force.h"
#include "polhode/model/sensor.h"
#include "polhode/model/shape.h"

#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace polhode {

struct JointType;

/// A rigid body and where it is at t = 0.
struct Body {
  std::string name;
  double mass = 1.0;
  Matrix3 inertia = Matrix3::Identity();       // about the centre of mass, body axes
  Vector3 position = Vector3::Zero();          // of the centre of mass, in space
  Quaternion orientation{1.0, 0.0, 0.0, 0.0};  // unit, body to space
  Vector3 velocity = Vector3::Zero();          // of the centre of mass, in space
  Vector3 angularVelocity = Vector3::Zero();   // in the body frame
  std::optional<Shape> shape{};
};

/// A coordinate of a joint that follows a signal: "angle", "displacement", ...
struct CoordinateDrive {
  std::string coordinate;
  Signal follow;
  double until = std::numeric_limits<double>::infinity();  // from then on the coordinate is free
};

/// A joint between two bodies, of one of the types of joint_type.h. Points and axes are in space at t = 0. Where both
/// bodies have the same point (or axis) only the first is given; a rough sketch that is still to be assembled, a
/// distance joint and the second arm of a universal joint have one of their own for the second body.
struct Joint {
  std::string name;
  std::string type;
  std::string first, second;        // names of bodies; "ground" is space itself
  Vector3 point = Vector3::Zero();  // of the first body
  Vector3 axis = Vector3::UnitZ();  // of the first body; any length but zero
  std::optional<Vector3> secondPoint{}, secondAxis{};
  std::optional<Signal> length{};  // of a distance joint; by default what it is at t = 0
  std::vector<CoordinateDrive> drives{};

  /// What the joint's coordinates are at t = 0, in the order of its type (of a universal joint the angles about its axes);
  /// all zero where none are given. How far points are apart along an axis is seen from where the bodies stand: of these the
  /// angles count, each between -pi and pi.
  std::vector<double> start{};

  /// A type that a user has written, in place of a named one (docs/user-joints.md).
  std::shared_ptr<const JointType> own{};

  const Vector3& pointOfSecond() const { return secondPoint ? *secondPoint : point; }
  const Vector3& axisOfSecond() const { return secondAxis ? *secondAxis : axis; }
};

/// Bodies and what acts on them; immutable once built.
struct Model {
  std::string name;
  Vector3 gravity = Vector3::Zero();
  std::vector<Body> bodies{};
  std::vector<Joint> joints{};
  std::vector<Force> forces{};
  std::vector<Actuator> actuators{};
  std::vector<Sensor> sensors{};
  std::vector<Coupling> couplings{};
};

}  // namespace polhode
