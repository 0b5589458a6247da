#pragma once

#include "system/mechanism.h"

#include <string>
#include <unordered_map>

namespace polhode {

/// The mechanism that a force is made for, with its parts by name.
class ForceSite {
 public:
  explicit ForceSite(const Mechanism& mechanism);

  int bodies() const { return static_cast<int>(mechanism_.bodies().size()); }

  /// A body's number, or groundIndex. Throws an InputError that names the force.
  int body(const Force& force, const std::string& name) const;

  /// The joint that a force acts on, and that coordinate of it which the force names. Throws an InputError.
  const MechanismJoint& joint(const Force& force) const;
  const JointCoordinateInfo& coordinate(const Force& force) const;

  /// A point or a direction of space at t = 0, in the frame of a body.
  Vector3 pointInBody(int body, const Vector3& point) const;
  Matrix3 axesInBody(int body, const Matrix3& axes) const;

  /// From the axes in which the model has a body to its principal axes.
  Vector3 inPrincipalAxes(int body, const Vector3& vector) const;

 private:
  const Mechanism& mechanism_;
  std::unordered_map<std::string, int> bodies_, joints_;
};

}  // namespace polhode
