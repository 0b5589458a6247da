#pragma once

#include "analysis/engine_registry.h"
#include "analysis/instant_watch.h"
#include "system/principal_body.h"

namespace polhode {

/// One body by a conserving or variational scheme of integrate/single_body, with a fixed step or with one chosen for the
/// tolerance.
class ConservingBodyEngine final : public Engine {
 public:
  static const EngineType type;

  ConservingBodyEngine(const Model& model, const SimulationSettings& settings);

  Stepper& stepper() override { return *stepper_; }

 private:
  Observation observed(double t, const VectorX& y, Detail detail) const override;

  /// The part of the potential that turns the body, as the schemes see it.
  double turningPotential(const BodyMotion& motion) const;

  PrincipalBody body_;
  std::unique_ptr<Stepper> stepper_;
  mutable InstantWatch watch_;
};

}  // namespace polhode
