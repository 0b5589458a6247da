#pragma once

#include "polhode/analysis/simulation.h"

#include <functional>
#include <string>
#include <vector>

namespace polhode {

/// A number that can be read off an observation, by name: "top.position.z", "top.angular_velocity.x",
/// "top.quaternion.w", "joint.knee.angle", "joint.knee.angle_rate", "joint.knee.force.x", "energy", "angular_momentum.z", ...
struct Observable {
  std::string name;
  std::function<double(const Observation&)> value;
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
