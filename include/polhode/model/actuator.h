#pragma once

#include "polhode/math/types.h"
#include "polhode/model/sampled_path.h"
#include "polhode/model/signal.h"

#include <limits>
#include <string>
#include <variant>

namespace polhode {

/// A source that sends samples while the simulation runs; until it does, the body is left alone.
struct LiveSource {};

/// What an actuator follows: samples of a device, functions of time, or what comes while the simulation runs.
using FollowedSignal = std::variant<SampledPath, VectorSignal, LiveSource>;

/// How it follows: the name of a method and the parameters that the method has. docs/control.md explains each.
struct ControlSettings {
  std::string method = "receding-horizon";  // l2 h1-neumann h1-mixed servo receding-horizon critically-damped
  double rho0 = 1e-6, rho1 = 5e-13;         // of l2 (rho0 only), h1-neumann and h1-mixed
  double epsilon = 0.2;                     // of servo: the share of Baumgarte's term
  double timeConstant = 0.03;               // of receding-horizon and critically-damped, in seconds
  double largestForce = std::numeric_limits<double>::infinity();  // of both, in newtons (newton metres)
};

/// What an actuator leads along its signal: a point of a body; a body's orientation, as the turn (a rotation vector in
/// space) away from the one at t = 0; or a coordinate of a joint, as the first component.
enum class LedQuantity { point, orientation, coordinate };

/// A hand that holds a body or a joint and leads it along a signal.
struct Actuator {
  std::string name;
  std::string body;                 // empty where a joint is held
  Vector3 point = Vector3::Zero();  // in space at t = 0
  FollowedSignal follow = LiveSource{};
  ControlSettings control;
  LedQuantity quantity = LedQuantity::point;
  std::string joint{}, coordinate{};  // the joint's first coordinate if empty
};

}  // namespace polhode
