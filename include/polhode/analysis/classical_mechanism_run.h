#pragma once

#include "polhode/analysis/instant_watch.h"
#include "polhode/analysis/simulation.h"
#include "polhode/integrate/metered_stepper.h"
#include "polhode/system/mechanism.h"

#include <memory>

namespace polhode {

/// A mechanism by a classical integrator, in any formulation:
///
///     null-space                        an ordinary differential equation in the rates of the joints
///     absolute                          the same in absolute coordinates, multipliers eliminated (index 0)
///     index-1, index-2, index-3, ggl    differential-algebraic equations with multipliers, by bdf
///
/// What is common to them: the mechanism and what is observed of it, with the work of loads, dampers, motors and drives as
/// the integral of their power along the motion.
class ClassicalMechanismRun : public Simulation {
 public:
  /// The motion of all bodies in a state, principal axes.
  using Simulation::motion;
  virtual MechanismMotion motion(double t, const VectorX& y) const = 0;

  const Mechanism& mechanism() const { return *mechanism_; }

  Stepper& stepper() override { return *stepper_; }

 protected:
  Observation observed(double t, const VectorX& y, Detail detail) const override;

  explicit ClassicalMechanismRun(std::shared_ptr<const Mechanism> mechanism);

  /// To be called once at the end of construction.
  void setStepper(std::unique_ptr<Stepper> stepper);

  /// What the equations of joints pull with along their gradients; at least those of joints that close loops.
  virtual VectorX pulls(double t, const VectorX& y) const = 0;

  /// How far the coordinates of the rotations are from their own constraints.
  virtual double chartViolation(const VectorX& y) const = 0;

 private:
  double power(double t, const VectorX& y) const;

  std::shared_ptr<const Mechanism> mechanism_;
  double storedAtStart_;  // see work.h
  std::unique_ptr<MeteredStepper> stepper_;
  mutable InstantWatch watch_;
};

/// Throws InputError for names that do not exist or do not fit together.
std::unique_ptr<ClassicalMechanismRun> makeClassicalMechanismRun(const Model& model,
                                                                 const SimulationSettings& settings);

}  // namespace polhode
