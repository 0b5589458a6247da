#pragma once

#include "analysis/engine_registry.h"
#include "analysis/instant_watch.h"
#include "integrate/bdf_dae.h"
#include "system/index_formulation.h"
#include "system/principal_body.h"

namespace polhode {

/// One body with its multipliers as a differential-algebraic equation of index 1, 2 or 3, or in the form of Gear, Gupta
/// and Leimkuhler, by backward differentiation.
class IndexBodyEngine final : public Engine {
 public:
  static const EngineType type;

  IndexBodyEngine(const Model& model, const SimulationSettings& settings);

  Stepper& stepper() override { return *stepper_; }
  VectorX multipliers(double t, const VectorX& y) const override;

 private:
  Observation observed(double t, const VectorX& y, Detail detail) const override;

  BodyMotion motion(const VectorX& y) const;

  PrincipalBody body_;
  bool quaternions_;
  std::shared_ptr<const ConstrainedSystem> system_;
  std::unique_ptr<IndexFormulation> equations_;
  std::unique_ptr<BdfDae> stepper_;
  mutable InstantWatch watch_;
};

}  // namespace polhode
