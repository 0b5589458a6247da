#pragma once

#include "polhode/analysis/observation.h"

#include <functional>
#include <string>
#include <vector>

namespace polhode {

/// How the components of vectors are called.
inline constexpr const char* axisNames[] = {"x", "y", "z"};

/// Whose quantity an observable is: of a body, a joint, a force, a sensor, or of the whole system.
enum class ObservedKind { body, joint, force, sensor, whole };

/// A number that can be read off an observation, by name: "top.position.z", "top.angular_velocity.x",
/// "top.quaternion.w", "top.acceleration.x", "joint.knee.angle", "joint.knee.angle_rate", "joint.knee.force.x",
/// "spring.tension", "spring.force.x", "sensor.tip.x", "energy", "angular_momentum.z", ... It is that component ("x"; empty for a number
/// that stands alone) of that quantity ("position") of that owner ("top"; empty for the whole system).
struct Observable {
  std::string name;
  std::function<double(const Observation&)> value;
  ObservedKind kind = ObservedKind::whole;
  std::string owner, quantity, component;
  Detail detail = Detail::motion;  // what an observation must tell to have it; NaN where it does not

  /// How it changes where all that is observed changes: `changes` are the derivatives of all numbers in `at`
  /// (observation_changes.h).
  double change(const Observation& at, const Observation& changes) const;
};

/// All observables of a system, in the order of a recording's columns; `sample` is any of its observations.
std::vector<Observable> observables(const Observation& sample);

/// A condition such as "top.position.z=0.1": the observable, and the value at which something is to happen.
struct Condition {
  Observable observable;
  double value;
};

/// Throws InputError for a condition that cannot be understood, with the nearest name.
Condition parseCondition(const std::string& text, const Observation& sample);

}  // namespace polhode
