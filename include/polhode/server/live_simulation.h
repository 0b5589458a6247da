#pragma once

#include "polhode/analysis/simulation.h"

#include <memory>

namespace polhode::live {

/// A simulation without an end, whose integrator and step can be changed on the way.
class LiveSimulation {
 public:
  /// Throws InputError as makeSimulation does.
  LiveSimulation(Model model, SimulationSettings settings);

  const Model& model() const { return model_; }  // as it began
  const SimulationSettings& settings() const { return settings_; }

  /// The time at the end of the last step.
  double reached() const { return offset_ + simulation_->stepper().time(); }

  /// One step of the integrator. Throws SimulationError where it fails.
  void step();

  /// Whether the state between the ends of steps is as accurate as there: the classical integrators have dense output. What
  /// others give is interpolated for the eye and keeps neither energy nor joints.
  bool hasDenseOutput() const;

  /// The state at a time within the last step; without dense output energies, momenta and gaps are those at its end.
  Observation observe(double time, Detail detail = Detail::forces) const;

  /// How the bodies of a mechanism move at the end of the last step.
  const MechanismMotion& motion();

  /// Back to the beginning, in this way from there. Throws like goOnFrom.
  void reset(const SimulationSettings& settings);

  /// Goes on from `time`, within the last step, in another way. Throws InputError where the settings do not fit the
  /// model; everything is as it was then.
  void goOnFrom(double time, const SimulationSettings& settings);

  /// Lets a hand lead a body from inside the steps, until another grip or none takes its place. False where the integrator
  /// leaves that to setForce.
  bool setGrip(const Grip* grip) { return simulation_->setGrip(grip); }

  /// What that grip pulled with in the last step.
  Vector3 pullOfGrip() const { return simulation_->pullOfGrip().force; }

  /// A force on a point of a body (point in the body frame, force in space) and a torque that stay until changed. False where
  /// the integrator does not allow it.
  bool setForce(std::size_t body, const Vector3& point, const Vector3& force, const Vector3& torque = Vector3::Zero());

 private:
  Model model_;
  SimulationSettings settings_;
  std::unique_ptr<Simulation> simulation_;
  double offset_ = 0.0;  // when this simulation began
  MechanismMotion motion_;
};

/// The names of all integrators by which the model can be simulated with these settings otherwise; with these it can.
std::vector<std::string> fittingIntegrators(const Model& model, const SimulationSettings& settings);

}  // namespace polhode::live
