#pragma once

#include "analysis/engine_registry.h"
#include "analysis/instant_watch.h"
#include "integrate/mechanism/mechanism_stepper.h"

#include <map>

namespace polhode {

/// A mechanism by the conserving director scheme and its compositions, with a fixed step or with one chosen for the
/// tolerance.
class ConservingMechanismEngine final : public Engine {
 public:
  static const EngineType type;

  ConservingMechanismEngine(const Model& model, const SimulationSettings& settings);

  const EngineCapabilities& capabilities() const override { return type.capabilities; }
  Stepper& stepper() override { return *stepper_; }
  void persist(Archive& archive) override;
  Balance balance(double t, const VectorX& y) const override;

  /// Of all joint rows over the last step, as the scheme has them.
  VectorX multipliers(double t, const VectorX& y) const override;

  void goOnFrom(double time, const std::vector<Body>& bodies) override;
  void readMotion(MechanismMotion& motion) const override;
  void setLoad(std::size_t body, const Vector3& pointInBody, const Vector3& force, const Vector3& torque) override;

  const Mechanism& mechanism() const { return *mechanism_; }

 private:
  Observation observed(double t, const VectorX& y, Detail detail) const override;

  std::shared_ptr<const Mechanism> mechanism_;
  std::unique_ptr<MechanismStepper> stepper_;
  std::map<std::size_t, BodyLoad> loads_;  // of `setLoad`, by body
  mutable InstantWatch watch_{mechanism_};
};

}  // namespace polhode
