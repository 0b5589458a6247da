#include "server/led_force.h"

#include "model/force_type.h"
#include "polhode/model/joint_type.h"

#include <algorithm>

namespace polhode::live {

namespace {

bool turns(const Force& motor, const Model& model) {
  for (const Joint& joint : model.joints)
    if (joint.name == motor.joint)
      for (const JointCoordinateInfo& each : typeOf(joint)->coordinates)
        if (motor.coordinate.empty() || motor.coordinate == each.name) return each.kind == MotionKind::rotation;
  return false;
}

}  // namespace

std::optional<ForceSize> sizeOf(const Force& force, const Model& model) {
  const ForceType* type = typeOf(force);
  const auto isScale = [](const ForceKey& key) { return key.name == "scale"; };
  if (!type || force.own || std::none_of(type->keys.begin(), type->keys.end(), isScale)) return std::nullopt;
  const bool isMotor = type->actsOn == ActsOn::joint, isTorque = isMotor ? turns(force, model) : type->name == "torque";
  const std::string name = isMotor ? "effort" : isTorque ? "torque" : "force";
  if (force.vectorOverTime) return ForceSize{name, "", 1.0};
  const double size = isMotor ? force.effort : force.vector.norm();
  if (size == 0.0) return std::nullopt;
  return ForceSize{name, isTorque ? "N m" : "N", size};
}

}  // namespace polhode::live
