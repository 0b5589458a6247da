#pragma once

#include "analysis/engines/conserving_mechanism_engine.h"
#include "control/actuation.h"
#include "integrate/forwarding_stepper.h"

namespace polhode {

/// A mechanism with its actuators by the conserving director scheme and its compositions, with a fixed step. Before each
/// step the laws say what they pull with (SteeredMechanism::guide), and the engine applies it throughout the step: joints
/// stay closed to round-off, and the energy changes by exactly the work of the hands.
class GuidedMechanismEngine final : public Engine {
 public:
  static const EngineType type;

  GuidedMechanismEngine(const Model& model, const SimulationSettings& settings);

  const EngineCapabilities& capabilities() const override { return type.capabilities; }
  Stepper& stepper() override { return stepper_; }
  void persist(Archive& archive) override;
  VectorX multipliers(double t, const VectorX& y) const override { return engine_.multipliers(t, y); }
  void setLoad(std::size_t body, const Vector3& pointInBody, const Vector3& force, const Vector3& torque) override;

  /// The actuator of that number, to push samples of a live source.
  Follower& follower(std::size_t actuator) { return actuation_.follower(actuator); }

 private:
  Observation observed(double t, const VectorX& y, Detail detail) const override {
    return engine_.observe(t, y, detail);
  }

  /// The engine's stepper, with the hands' pulls set before each step.
  class GuidedStepper final : public ForwardingStepper {
   public:
    explicit GuidedStepper(GuidedMechanismEngine& run) : ForwardingStepper(run.engine_.stepper()), run_(run) {}

    void step() override;

   private:
    GuidedMechanismEngine& run_;
  };

  void pull();

  ConservingMechanismEngine engine_;
  SteeredMechanism hands_;
  Actuation actuation_;
  std::vector<BodyLoad> loads_;   // of `setLoad`, principal axes
  std::vector<Wrench> wrenches_;  // of the hands, on each body
  GuidedStepper stepper_;
};

}  // namespace polhode
