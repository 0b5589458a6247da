#pragma once

#include "polhode/model/model.h"
#include "polhode/system/body_acceleration.h"
#include "polhode/system/force_element.h"

#include <optional>
#include <string>
#include <vector>

namespace polhode {

/// How much an observation tells. Forces take the solution of the equations of motion at that instant.
enum class Detail { motion, forces };

/// A joint at one instant: its own coordinates with their rates, and what it does to its second body, at the joint's
/// point of the second body and in space (with Detail::forces, else zero).
struct JointObservation {
  struct Coordinate {
    std::string name;  // "angle" (turns counted on), "displacement", ...
    double value, rate;
  };
  std::string name;
  std::vector<Coordinate> coordinates;
  Vector3 force = Vector3::Zero(), torque = Vector3::Zero();
};

/// A force of the model at one instant: what it does to its second body (a load: to its body), at its point there and in
/// space, and what else is usual to say of one of its kind.
struct ForceObservation {
  std::string name;
  Vector3 force = Vector3::Zero(), torque = Vector3::Zero();
  std::vector<ForceQuantity> quantities;  // "length" and "tension" of a spring, "effort" of a motor
};

/// A sensor of the model at one instant.
struct SensorObservation {
  std::string name;
  std::vector<double> values;     // one, or three of a vector in space; NaN where the observation does not tell
  Detail needs = Detail::motion;  // what an observation must tell to have it
};

/// The sums over a mechanical system at one instant by which a motion is judged, step by step: what ought to be
/// conserved, and how far its joints are open.
struct Balance {
  double time = 0.0;
  double kineticEnergy = 0.0;  // so that the energy is the one that a conserving scheme conserves
  double potentialEnergy = 0.0;
  double work = 0.0;  // of loads and dampers so far, as the integrator balances it: energy() - work stays
  std::optional<double> nodeEnergy;  // kinetic and potential, from velocities at the node, where that is not the same
  Vector3 linearMomentum = Vector3::Zero();
  Vector3 angularMomentum = Vector3::Zero();  // about the origin of space
  Vector3 centreOfMass = Vector3::Zero();     // of all bodies
  double positionViolation = 0.0;             // of the constraints, in the largest component
  double velocityViolation = 0.0;
  std::vector<double> p;  // momenta of a system that is not made of bodies (system_engine.h), else empty

  double energy() const { return kineticEnergy + potentialEnergy; }
};

/// What can be said of a mechanical system at one instant, in whatever coordinates it is simulated.
struct Observation : Balance {
  Observation() = default;
  explicit Observation(const Balance& sums) : Balance(sums) {}

  std::vector<Body> bodies;              // where they are and how they move
  std::vector<JointObservation> joints;  // in the order of the model, drives behind them
  std::vector<SensorObservation> sensors;

  std::vector<double> q, v;  // coordinates and velocities of a system that is not made of bodies, else empty

  // With Detail::forces, else empty.
  std::vector<BodyAcceleration> accelerations;  // of the centre of mass in space, of the turning in the body's axes
  std::vector<ForceObservation> forces;         // in the order of the model
};

}  // namespace polhode
