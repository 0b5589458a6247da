#pragma once

#include "integrate/stepper.h"
#include "polhode/analysis/capabilities.h"
#include "polhode/analysis/observation.h"
#include "polhode/model/simulation.h"
#include "system/mechanism_observation.h"

#include <memory>
#include <string>
#include <vector>

namespace polhode {

class OdeSystem;
class HandRack;
class SensorWatch;
class StepSums;
struct Model;

/// A model in chosen coordinates with a chosen integrator, ready to move. One class for each way to do that, in
/// analysis/engines; engine_registry.h finds the one that a model and its settings ask for. What an engine cannot do its
/// capabilities say; a function that belongs to a capability it does not have throws InputError.
class Engine {
 public:
  explicit Engine(const EngineCapabilities& capabilities = {});
  virtual ~Engine();

  const EngineCapabilities& capabilities() const { return capabilities_; }

  /// The registry says how the integrator of the settings steps.
  void tellSteps(int order, bool choosesSteps);

  virtual Stepper& stepper() = 0;
  const Stepper& stepper() const { return const_cast<Engine*>(this)->stepper(); }

  /// Saves or restores everything that what comes depends on (archive.h); as Stepper::persist.
  virtual void persist(Archive& archive) { stepper().persist(archive); }

  /// The state y at time t: one that the stepper has reached or interpolates in its last step. Reactions, accelerations
  /// and forces are those of that instant (instant_dynamics.h).
  Observation observe(double t, const VectorX& y, Detail detail = Detail::forces) const;

  /// Adds the sensors of the model to what is observed.
  void addSensors(const Model& model);

  /// The sums of that state alone, at a fraction of the price: for those who watch every step. Turns of joints are
  /// counted on as by observe.
  virtual Balance balance(double t, const VectorX& y) const { return observe(t, y, Detail::motion); }

  /// The same of several steps at once, where the engine can; else null.
  virtual const StepSums* stepSums() const { return nullptr; }

  /// Puts the stepper's present state back onto its constraints, where the settings ask for a projection.
  virtual void projectState() {}

  /// Steps until `end`, projecting after each step.
  void advanceTo(double end);

  /// The Lagrange multipliers, by post-processing; empty where the coordinates have no constraint.
  virtual VectorX multipliers(double /*t*/, const VectorX& /*y*/) const { return {}; }

  /// What a user of this integrator should know about it with this model, in one sentence; empty if nothing.
  virtual std::string warning() const { return stepper().warning(); }

  /// takesLoads: a pull from outside on body number `body`: a force in space at a body-fixed point, given from the centre of
  /// mass in body axes, and a torque in space. It acts in every step until it is set anew.
  virtual void setLoad(std::size_t body, const Vector3& pointInBody, const Vector3& force, const Vector3& torque);

  /// takesHands: all hands that lead something, those of the model's actuators first.
  virtual HandRack& hands();

  /// goesOn: goes on at that time with the bodies as given, in the model's order; what is measured from the beginning
  /// (bushings, springs on joints, signals) goes on as well.
  virtual void goOnFrom(double time, const std::vector<Body>& bodies);

 protected:
  virtual Observation observed(double t, const VectorX& y, Detail detail) const = 0;

  /// For projectState: onto the invariant of the equations, if they have one.
  void projectOnto(const OdeSystem& equations);

 private:
  EngineCapabilities capabilities_;
  std::unique_ptr<const SensorWatch> sensors_;
};

/// The engine's state at a time within its last step, as Simulation::advanceTo says.
Observation observeWithin(const Engine& engine, double time, Detail detail = Detail::forces);

}  // namespace polhode
