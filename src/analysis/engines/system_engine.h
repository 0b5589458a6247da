#pragma once

#include "analysis/engine.h"
#include "integrate/constrained_stepper.h"
#include "polhode/model/conservation.h"

namespace polhode {

/// A system that is written as M(q), V(q), g(q) instead of made of bodies, moved by an integrator for constrained systems
/// (makeConstrainedStepper). What is observed of it:
///
///     energy        p . v - T(q, v) + V(t, q), the generalised one; nodeEnergy is T + V
///     momenta       p, with a . p for the directions a that cyclicDirections finds
///     violations    the largest |g(q)| and |G(q) v|
///
/// It is run as engines of models are (run.h), with the same rows, conditions, drifts and failures.
class SystemEngine final : public Engine {
 public:
  /// The stepper's system must outlive it.
  explicit SystemEngine(std::unique_ptr<ConstrainedStepper> stepper) : stepper_(std::move(stepper)) {}

  Stepper& stepper() override { return *stepper_; }

  /// What ought to be conserved: the energy where no force is applied, and the momenta of cyclic directions.
  Conservation conserved() const;

 private:
  Observation observed(double t, const VectorX& y, Detail detail) const override;

  std::unique_ptr<ConstrainedStepper> stepper_;
};

}  // namespace polhode
