#pragma once

#include "polhode/analysis/instant_watch.h"
#include "polhode/analysis/simulation.h"
#include "polhode/integrate/bdf_dae.h"
#include "polhode/system/index_formulation.h"
#include "polhode/system/principal_body.h"

namespace polhode {

/// The level that a formulation "index-1", "index-2", "index-3" or "ggl" has its constraints on. Throws InputError for
/// others.
ConstraintLevel levelNamed(const std::string& formulation);

/// Throws InputError where the other settings do not go with such a formulation.
void requireIndexFit(const SimulationSettings& settings);

/// One body with its multipliers as a differential-algebraic equation of index 1, 2 or 3, or in the form of Gear, Gupta
/// and Leimkuhler, by backward differentiation.
class IndexBodyRun final : public Simulation {
 public:
  /// Whether the formulation is one of these: "index-1", "index-2", "index-3", "ggl".
  static bool handles(const std::string& formulation);

  /// Throws InputError for names that do not exist or do not fit together.
  IndexBodyRun(const Model& model, const SimulationSettings& settings);

  Stepper& stepper() override { return *stepper_; }
  VectorX multipliers(double t, const VectorX& y) const override;

 private:
  Observation observed(double t, const VectorX& y, Detail detail) const override;

  using Simulation::motion;
  BodyMotion motion(const VectorX& y) const;

  PrincipalBody body_;
  bool quaternions_;
  std::shared_ptr<const ConstrainedSystem> system_;
  std::unique_ptr<IndexFormulation> equations_;
  std::unique_ptr<BdfDae> stepper_;
  mutable InstantWatch watch_;
};

}  // namespace polhode
