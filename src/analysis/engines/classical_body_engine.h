#pragma once

#include "analysis/engine_registry.h"
#include "analysis/instant_watch.h"
#include "analysis/step_sums.h"
#include "system/principal_body.h"
#include "system/single_body.h"

namespace polhode {

/// One body by a classical integrator, as an ordinary differential equation.
class ClassicalBodyEngine final : public Engine {
 public:
  static const EngineType type;

  /// Throws InputError for names that do not exist.
  ClassicalBodyEngine(const Model& model, const SimulationSettings& settings);

  Stepper& stepper() override { return *stepper_; }
  void projectState() override {
    if (projectsAfter_) projectOnto(*system_);
  }
  VectorX multipliers(double t, const VectorX& y) const override { return system_->multipliers(t, y); }

  Balance balance(double t, const VectorX& y) const override;
  const StepSums* stepSums() const override { return stepSums_.get(); }

  /// The reference point and principal axes in a state.
  BodyMotion motion(const VectorX& y) const { return system_->motionOf(y); }

 private:
  Observation observed(double t, const VectorX& y, Detail detail) const override;

  PrincipalBody body_;
  std::unique_ptr<SingleBodySystem> system_;
  std::unique_ptr<const StepSums> stepSums_;
  std::unique_ptr<Stepper> stepper_;
  bool projectsAfter_ = false;  // each step, where the settings ask for it
  mutable InstantWatch watch_;
};

/// The sums over a model's one body in a given motion; the violations are left at zero.
Balance balanceOf(const PrincipalBody& body, double t, const BodyMotion& motion);

/// What can be said of it.
Observation observeBody(const PrincipalBody& body, double t, const BodyMotion& motion);

}  // namespace polhode
