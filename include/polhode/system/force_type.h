#pragma once

#include "polhode/model/force.h"
#include "polhode/system/mechanism.h"

#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

/// The kinds of forces. Each is one file in src/system/forces and one line in src/system/force_types.cpp; it says which
/// keys of a model file it has and makes force elements.
namespace polhode {

/// The mechanism that a force is made for, with its parts by name.
class ForceSite {
 public:
  explicit ForceSite(const Mechanism& mechanism);

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

struct ForceType {
  std::string name;
  std::string summary;                // one sentence for `polhode list forces`
  std::vector<std::string> required;  // keys; "stiffness" may be given as a "law" where that is among the optional ones
  std::vector<std::string> optional;
  std::shared_ptr<const ForceElement> (*make)(const Force& force, const ForceSite& site);
};

/// All types of forces, in the order in which they are explained.
const std::vector<ForceType>& forceTypes();

/// The type of that name; null if there is none.
const ForceType* findForceType(const std::string& name);

}  // namespace polhode
