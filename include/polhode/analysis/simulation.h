#pragma once

#include "polhode/integrate/stepper.h"
#include "polhode/model/model.h"
#include "polhode/model/simulation.h"
#include "polhode/system/instant_forces.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace polhode {

struct Grip;

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

/// What can be said of a mechanical system at one instant, in whatever coordinates it is simulated.
struct Observation {
  double time = 0.0;
  std::vector<Body> bodies;    // where they are and how they move
  double kineticEnergy = 0.0;  // so that the energy is the one that a conserving scheme conserves
  double potentialEnergy = 0.0;
  double work =
      0.0;  // of loads and dampers since the start, as the integrator balances it: energy() - work is constant
  std::optional<double> nodeEnergy;  // kinetic and potential, from velocities at the node, where that is not the same
  Vector3 linearMomentum = Vector3::Zero();
  Vector3 angularMomentum = Vector3::Zero();  // about the origin of space
  double positionViolation = 0.0;             // of the constraints, in the largest component
  double velocityViolation = 0.0;
  std::vector<JointObservation> joints;  // in the order of the model, drives behind them

  // With Detail::forces, else empty.
  std::vector<BodyAcceleration> accelerations;  // of the centre of mass in space, of the turning in the body's axes
  std::vector<ForceObservation> forces;         // in the order of the model

  double energy() const { return kineticEnergy + potentialEnergy; }
};

/// A model in chosen coordinates with a chosen integrator, ready to run.
class Simulation {
 public:
  virtual ~Simulation() = default;

  virtual Stepper& stepper() = 0;

  /// Saves or restores everything that what comes depends on (archive.h); as Stepper::persist.
  virtual void persist(Archive& archive);

  const Stepper& stepper() const { return const_cast<Simulation*>(this)->stepper(); }

  /// The state y at time t: one that the stepper has reached or interpolates in its last step. Reactions, accelerations
  /// and forces are those of that instant (instant_dynamics.h).
  Observation observe(double t, const VectorX& y, Detail detail = Detail::forces) const {
    return observed(t, y, detail);
  }

  /// The state after projection; false if none was asked for.
  virtual bool project(double /*t*/, VectorX& /*y*/) const { return false; }

  /// Projects the stepper's present state where that was asked for.
  void projectState();

  /// Steps until `end`, projecting after each step.
  void advanceTo(double end);

  /// The Lagrange multipliers, by post-processing; empty where the coordinates have no constraint.
  virtual VectorX multipliers(double /*t*/, const VectorX& /*y*/) const { return VectorX(); }

  /// What a user of this integrator should know about it with this model, in one sentence; empty if nothing.
  virtual std::string warning() const { return ""; }

  /// Goes on at that time with the bodies as given, in the model's order; what is measured from the beginning (bushings,
  /// springs on joints, signals) goes on as well. False where this is not supported.
  virtual bool goOnFrom(double /*time*/, const std::vector<Body>& /*bodies*/) { return false; }

  /// Lets a hand lead a body from inside the steps, where the integrator knows itself how the body answers; the grip must
  /// last until another, or none, takes its place. False where this is not supported: see SteeredMechanism::guide.
  virtual bool setGrip(const Grip* /*grip*/) { return false; }

  /// What that grip pulled with in the last step.
  virtual Wrench pullOfGrip() const { return {}; }

  /// How the bodies of a mechanism are now: their principal axes, and how they move. False where this is not known.
  virtual bool motion(MechanismMotion& /*motion*/) const { return false; }

  /// A pull from outside on body number `body`: a force in space at a body-fixed point, given from the centre of mass in
  /// body axes, and a torque in space. It acts in every step until it is set anew. False where this is not supported.
  virtual bool setLoad(std::size_t /*body*/, const Vector3& /*pointInBody*/, const Vector3& /*force*/,
                       const Vector3& /*torque*/) {
    return false;
  }

 protected:
  virtual Observation observed(double t, const VectorX& y, Detail detail) const = 0;
};

/// Puts a model into the coordinates, the formulation and the hands of the integrator that the settings name.
/// Throws InputError for names that do not exist or do not fit together.
std::unique_ptr<Simulation> makeSimulation(const Model& model, const SimulationSettings& settings);

}  // namespace polhode
