#pragma once

#include "polhode/analysis/instant_watch.h"
#include "polhode/analysis/simulation.h"
#include "polhode/system/principal_body.h"

namespace polhode {

/// One body by a conserving or variational scheme of integrate/single_body, with a fixed step or with one chosen for the
/// tolerance.
class SchemeRun final : public Simulation {
 public:
  /// Whether the integrator is such a scheme.
  static bool handles(const std::string& integrator);

  /// Throws InputError where the model has forces that the schemes do not know, or settings that do not fit.
  SchemeRun(const Model& model, const SimulationSettings& settings);

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
