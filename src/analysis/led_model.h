#pragma once

#include "polhode/model/model.h"

#include <string>
#include <vector>

/// A motion that is asked for, and the motors that are to make it, as parts of a model.
///
/// What follows a signal becomes an equation of the model, as the drive of a joint is: "joint.NAME.angle" that drive itself,
/// "BODY.position.x" (the centre of mass, or the point that an actuator holds, by the actuator's name) and "BODY.rotation" one
/// equation e . x = s(t) a component, and the nine direction cosines of a body that turns by the rotation vector r(t) away from
/// how it stands at t = 0, D(t) = exp(r^) D(0), of which six repeat the others.
///
/// A motor is a force of the model with an effort of one.
namespace polhode {

struct FollowedQuantity {
  std::string name;  // "joint.crank.angle", "platform.position.x", "platform.rotation.z"
  Signal signal;
};

struct InverseMotor {
  std::string name;  // "joint.crank.angle", "drive", "hand.force.x"
  std::string unit;  // "N", "N m"
  Force force;       // of an effort of one
};

/// The motors of one name: a coordinate of a joint ("joint.crank.angle", "joint.crank" for its first), a motor, load or
/// torque of the model by its name, an actuator (the three components of its pull, or along its coordinate), or "BODY.force"
/// and "BODY.torque" at its centre of mass in space, or one component of these, "BODY.force.x". Throws InputError with the
/// nearest name.
std::vector<InverseMotor> motorsNamed(const Model& model, const std::string& name);

/// Those of the model itself: its motors on joints and its actuators, and where there are neither those along the quantities
/// (of a rotation the torque). Without quantities the model's own motion is meant (motionOfModel): then those of its drives and
/// actuators.
std::vector<InverseMotor> usualMotors(const Model& model, const std::vector<FollowedQuantity>& motion);

/// The model without what these motors stand for: forces of their name and motors on the same coordinate are taken out, drives
/// of their coordinate let go. Actuators that lead something do not pull.
Model withoutMotors(const Model& model, const std::vector<InverseMotor>& motors);

/// What a model asks for by itself: the drives of its joints that these motors stand for, and the signals of its actuators.
std::vector<FollowedQuantity> motionOfModel(const Model& model, const std::vector<InverseMotor>& motors);

/// The model with equations that keep it to the motion; drives of the same coordinates are replaced. Throws InputError where a
/// name is unknown or given twice; "joint.NAME" is its first coordinate.
Model ledModel(const Model& model, const std::vector<FollowedQuantity>& motion);

/// The names that may follow a signal, with "BODY.position" for three components.
std::vector<std::string> followableNames(const Model& model);

}  // namespace polhode
