#pragma once

#include "analysis/engine.h"

#include <memory>

namespace polhode::live {

/// A simulation without an end, whose integrator and step can be changed on the way.
class LiveSimulation {
 public:
  /// Throws InputError as makeEngine does.
  LiveSimulation(Model model, SimulationSettings settings);

  const Model& model() const { return model_; }  // as it began
  const SimulationSettings& settings() const { return settings_; }

  /// The time at the end of the last step.
  double reached() const { return offset_ + engine_->stepper().time(); }

  /// One step of the integrator. Throws SimulationError where it fails.
  void step();

  const EngineCapabilities& capabilities() const { return engine_->capabilities(); }

  /// The state at a time within the last step. Without dense output the bodies are interpolated for the eye, which keeps
  /// neither energy nor joints; energies, momenta and gaps are those at its end then.
  Observation observe(double time, Detail detail = Detail::forces) const;

  /// Whether a hand can pull at the bodies.
  bool isPullable() const { return capabilities().takesLoads && capabilities().goesOn; }

  /// Where it is pullable: how the bodies move at the end of the last step.
  const MechanismMotion& motion() {
    engine_->readMotion(motion_);
    return motion_;
  }

  /// Back to the beginning, in this way from there. Throws like goOnFrom.
  void reset(const SimulationSettings& settings);

  /// Goes on from `time`, within the last step, in another way. Throws InputError where the settings do not fit the
  /// model; everything is as it was then.
  void goOnFrom(double time, const SimulationSettings& settings);

  /// Where hands are taken: lets one lead a body from inside the steps, until another grip or none takes its place.
  void setGrip(const Grip* grip) { engine_->setGrip(grip); }

  /// What that grip pulled with in the last step.
  Vector3 pullOfGrip() const { return engine_->pullOfGrip().force; }

  /// Where loads are taken: a force on a point of a body (point in the body frame, force in space) and a torque that stay
  /// until changed.
  void setForce(std::size_t body, const Vector3& point, const Vector3& force, const Vector3& torque = Vector3::Zero()) {
    engine_->setLoad(body, point, force, torque);
  }

 private:
  Model model_;
  SimulationSettings settings_;
  std::unique_ptr<Engine> engine_;
  double offset_ = 0.0;  // when this engine began
  MechanismMotion motion_;
};

}  // namespace polhode::live
