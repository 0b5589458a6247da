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
  bool isPullable() const { return capabilities().takesHands; }

  /// Where it is pullable: the hands, until the way to simulate changes.
  HandRack& hands() { return engine_->hands(); }

  /// Back to the beginning, in this way from there. Throws like goOnFrom.
  void reset(const SimulationSettings& settings);

  /// Goes on from `time`, within the last step, in another way. Throws InputError where the settings do not fit the
  /// model; everything is as it was then.
  void goOnFrom(double time, const SimulationSettings& settings);

 private:
  Model model_;
  SimulationSettings settings_;
  std::unique_ptr<Engine> engine_;
  double offset_ = 0.0;      // when this engine began
  double workBefore_ = 0.0;  // of the engines before it
};

}  // namespace polhode::live
