#pragma once

#include "polhode/math/types.h"
#include "polhode/model/force_law.h"
#include "polhode/model/signal.h"

#include <memory>
#include <optional>
#include <string>

namespace polhode {

struct ForceType;

/// A force of one of the types of force_type.h, which say what each uses. Points and directions are in space at t = 0.
struct Force {
  std::string name;
  std::string type;
  std::string first = "ground", second = "ground";  // names of bodies; a load acts on the second
  std::string joint{};                              // of a force on a joint's coordinate,
  std::string coordinate{};                         // and that coordinate's name; the joint's first if empty
  Vector3 firstPoint = Vector3::Zero(), secondPoint = Vector3::Zero();

  std::optional<ForceLaw> law{};  // tension over stretch
  double rest = 0.0;              // length, displacement or angle without tension
  double damping = 0.0;           // N s/m or N m s/rad

  // of a bushing, along and about the axes of its frame (columns)
  Matrix3 axes = Matrix3::Identity();
  Vector3 stiffnesses = Vector3::Zero(), dampings = Vector3::Zero();
  Vector3 turningStiffnesses = Vector3::Zero(), turningDampings = Vector3::Zero();

  // of a load, a torque or a motor
  Vector3 vector = Vector3::Zero();
  bool inBody = false;  // whether the vector turns with the body; its components are in the body's axes then
  std::optional<VectorSignal> vectorOverTime{};  // instead of the vector, in space
  double effort = 0.0;
  Signal scale{1.0};  // times the vector or the effort, over time

  /// A type that a user has written, in place of a named one (docs/user-forces.md).
  std::shared_ptr<const ForceType> own{};
};

}  // namespace polhode
