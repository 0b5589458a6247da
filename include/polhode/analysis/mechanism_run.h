#pragma once

#include "polhode/analysis/instant_watch.h"
#include "polhode/analysis/simulation.h"
#include "polhode/integrate/mechanism/mechanism_stepper.h"

#include <map>

namespace polhode {

/// A mechanism by the conserving director scheme and its compositions, with a fixed step or with one chosen for the
/// tolerance.
class MechanismRun final : public Simulation {
 public:
  /// Whether a model is more than the single body under gravity that the schemes of integrate/single_body know.
  static bool isMechanism(const Model& model);

  /// Whether a conserving integrator for mechanisms was asked for and the model is one.
  static bool handles(const Model& model, const SimulationSettings& settings);

  MechanismRun(const Model& model, const SimulationSettings& settings);

  Stepper& stepper() override { return *stepper_; }
  void persist(Archive& archive) override;

  /// Of all joint rows over the last step, as the scheme has them.
  VectorX multipliers(double t, const VectorX& y) const override;

  bool goOnFrom(double time, const std::vector<Body>& bodies) override;
  bool motion(MechanismMotion& motion) const override;
  bool setLoad(std::size_t body, const Vector3& pointInBody, const Vector3& force, const Vector3& torque) override;

  const Mechanism& mechanism() const { return *mechanism_; }

 private:
  Observation observed(double t, const VectorX& y, Detail detail) const override;

  std::shared_ptr<const Mechanism> mechanism_;
  std::unique_ptr<MechanismStepper> stepper_;
  std::map<std::size_t, BodyLoad> loads_;  // of `setLoad`, by body
  mutable InstantWatch watch_{mechanism_};
};

}  // namespace polhode
