#pragma once

#include "analysis/engine.h"
#include "control/hand_rack.h"
#include "system/mechanism.h"

#include <map>
#include <memory>
#include <optional>
#include <string>

namespace polhode::live {

/// How a stretch of a simulation is simulated: what an engine is made from, and what lies before it.
struct WayToSimulate {
  Model model;  // from which the engine is made
  SimulationSettings settings;
  double offset = 0.0;      // when this engine began
  double workBefore = 0.0;  // of the engines before it
};

/// The model file as it was at a time, with what can be undone of it (session.h).
struct Edition;

/// Everything that what comes depends on, where a step has ended; but for the hand of a person.
struct Moment {
  double time = 0.0;
  std::shared_ptr<const WayToSimulate> way;
  std::shared_ptr<const Edition> edition{};  // of the model, where whoever keeps the moment has told it
  std::string state;                         // of the engine (integrate/archive.h)
  bool isHeld = false;                       // a person pulled
};

/// A simulation without an end, whose integrator and step can be changed on the way.
class LiveSimulation {
 public:
  /// Throws InputError as makeEngine does.
  LiveSimulation(Model model, SimulationSettings settings);

  const Model& model() const { return model_; }  // as it began
  const SimulationSettings& settings() const { return way_->settings; }

  /// The time at the end of the last step.
  double reached() const { return way_->offset + engine_->stepper().time(); }

  /// Where the last step began.
  double previous() const { return way_->offset + engine_->stepper().previousTime(); }

  /// One step of the integrator. Throws SimulationError where it fails.
  void step();

  const EngineCapabilities& capabilities() const { return engine_->capabilities(); }

  /// The state at a time within the last step. Without dense output the bodies are interpolated for the eye, which keeps
  /// neither energy nor joints; energies, momenta and gaps are those at its end then.
  Observation observe(double time, Detail detail = Detail::forces) const;

  /// Whether a hand can pull at the bodies.
  bool isPullable() const { return capabilities().takesHands; }

  /// Where it is pullable: a person takes hold of a point of a body, of a body that stands so now to turn it, or of a coordinate
  /// of a joint. The hand is there until it is released, or the way to simulate or the time changes.
  Hand& grab(std::size_t body, const Vector3& point, const HandLaw& law);
  Hand& grabOrientation(std::size_t body, const Quaternion& orientation, const HandLaw& law);
  Hand& grabCoordinate(std::size_t joint, std::size_t coordinate, const HandLaw& law);
  void release(Hand& hand);

  /// Somebody leads an actuator in place of its signal (Hand::takeOver). Throws InputError where there is no such actuator.
  void takeOver(std::size_t actuator, const std::optional<Vector3>& wish, bool atOnce);

  /// Somebody leads a load, a torque or a motor of the model: from now on it is that many times what the model gives it without its
  /// scale over time; with none it is as the model has it again. Goes on from `time`, within the last step, with another engine where
  /// this is the first or the last time that it is asked for, and tells so. What the force does counts as work, as ever. Throws
  /// InputError where there is no such force, and as goOnFrom does.
  bool leadForce(std::size_t force, const std::optional<double>& factor, double time);

  /// Nobody leads any force any more.
  void letForcesGo();

  /// Where it is pullable: those of actuators first, then of persons.
  Hands hands() const { return engine_->hands().all(); }

  /// Back to the beginning, in this way from there; of another model, where one is given. Throws like goOnFrom.
  void reset(const SimulationSettings& settings, const Model* other = nullptr);

  /// Goes on from `time`, within the last step, in another way; as another model, which begins as this one does, where one is
  /// given: what its energy differs by at that instant counts as work. Throws InputError where the settings do not fit the
  /// model; everything is as it was then.
  void goOnFrom(double time, const SimulationSettings& settings, const Model* other = nullptr);

  /// The mechanism of the model, as it began: for what somebody takes hold of (control/held.h).
  const Mechanism& mechanism();

  /// Goes on from `time`, within the last step, with the bodies posed (control/pose.h): what is held is as near to the target as the
  /// joints let it. At the beginning the bodies move as the model has them begin, as far as the joints allow this there; later they
  /// are at rest, but for what drives ask for. What the energy differs by counts as work. Throws as goOnFrom does.
  void pose(double time, const Held& held, const Vector3& target);

  /// The end of the last step, to come back to. Throws InputError where the integrator cannot be kept.
  Moment moment();

  /// Is there again, and goes on bit by bit as it did from there where nobody pulls. A person's hand is gone, and forces are as the
  /// model has them. `model` is the one that was simulated then, where it was another.
  void goBackTo(const Moment& moment, const Model* model = nullptr);

 private:
  void begin(std::shared_ptr<const WayToSimulate> way, std::unique_ptr<Engine> engine);
  Hand& ofPerson(Hand& hand);
  void take(const Model& model);
  enum class Change { none, ofEnergy };
  void goOnAs(const Observation& now, const std::vector<Body>& bodies, const SimulationSettings& settings,
              const Model& model, Change change);

  Model ledModel(const Model& model) const;

  using Factor = std::shared_ptr<std::optional<double>>;  // which engines look at in every step
  std::map<std::size_t, Factor> factors_;                 // of forces that are led, or were

  Model model_;
  std::unique_ptr<const Mechanism> mechanism_;  // where somebody has asked for it
  std::shared_ptr<const WayToSimulate> way_;
  std::unique_ptr<Engine> engine_;
  std::size_t persons_ = 0;  // hands that hold something now
  bool wasPulled_ = false;   // a person has pulled with this engine
};

}  // namespace polhode::live
