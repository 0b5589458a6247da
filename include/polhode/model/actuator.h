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
  std::string method = "receding-horizon";                        // l2 h1-neumann h1-mixed servo receding-horizon
  double rho0 = 1e-6, rho1 = 5e-13;                               // of l2 (rho0 only), h1-neumann and h1-mixed
  double epsilon = 0.2;                                           // of servo: the share of Baumgarte's term
  double timeConstant = 0.03;                                     // of receding-horizon, in seconds
  double largestForce = std::numeric_limits<double>::infinity();  // of receding-horizon, in newtons
};

/// A hand that holds a point of a body and leads it along a signal.
struct Actuator {
  std::string name;
  std::string body;
  Vector3 point = Vector3::Zero();  // in space at t = 0
  FollowedSignal follow = LiveSource{};
  ControlSettings control;
};

}  // namespace polhode
