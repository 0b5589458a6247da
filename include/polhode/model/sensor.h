#pragma once

#include "polhode/math/types.h"

#include <map>
#include <string>

namespace polhode {

/// What a sensor measures, all in space: how a point of a body moves; what a joint or a force does to its second body; or a
/// formula of other quantities.
enum class SensorKind { position, velocity, acceleration, force, torque, formula };

/// A quantity that is watched under a name of its own, as column "sensor.NAME" (of a vector "sensor.NAME.x", ...).
struct Sensor {
  std::string name;
  SensorKind kind = SensorKind::position;
  std::string body{};               // of a point,
  Vector3 point = Vector3::Zero();  // which is fixed in it and stands here, in space, at t = 0
  std::string joint{}, element{};   // of a force or torque: a joint, or a force of the model

  /// "0.5*m*v^2" of the time t and of columns under the names that `of` gives them: {"v": "top.velocity.x"}. Columns of
  /// sensors before this one may be among them.
  std::string formula{};
  std::map<std::string, std::string> of{};
  std::map<std::string, double> parameters{};  // names of the formula that are numbers
};

}  // namespace polhode
