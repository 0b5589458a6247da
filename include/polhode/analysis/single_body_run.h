#pragma once

#include "polhode/analysis/instant_watch.h"
#include "polhode/analysis/simulation.h"
#include "polhode/system/principal_body.h"
#include "polhode/system/single_body.h"

namespace polhode {

/// One body by a classical integrator, as an ordinary differential equation.
class SingleBodyRun final : public Simulation {
 public:
  /// Throws InputError for names that do not exist or do not fit together.
  SingleBodyRun(const Model& model, const SimulationSettings& settings);

  Stepper& stepper() override { return *stepper_; }
  std::string warning() const override { return stepper_->warning(); }
  bool project(double t, VectorX& y) const override { return !projectsWithin_ && system_->project(t, y); }
  VectorX multipliers(double t, const VectorX& y) const override { return system_->multipliers(t, y); }

  /// The reference point and principal axes in a state.
  using Simulation::motion;
  BodyMotion motion(const VectorX& y) const { return system_->motionOf(y); }

 private:
  Observation observed(double t, const VectorX& y, Detail detail) const override;

  PrincipalBody body_;
  std::unique_ptr<SingleBodySystem> system_;
  std::unique_ptr<Stepper> stepper_;
  bool projectsWithin_ = false;
  mutable InstantWatch watch_;
};

/// Tolerances and first step as an integrator takes them.
IntegratorOptions integratorOptions(const SimulationSettings& settings);

/// What can be said of a model's one body in a given motion; the violations are left at zero.
Observation observeBody(const PrincipalBody& body, double t, const BodyMotion& motion);

}  // namespace polhode
