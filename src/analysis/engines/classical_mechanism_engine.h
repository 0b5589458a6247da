#pragma once

#include "analysis/closed_joints.h"
#include "analysis/engine_registry.h"
#include "analysis/instant_watch.h"
#include "integrate/metered_stepper.h"
#include "integrate/vouched_stepper.h"
#include "system/joint_gaps.h"
#include "system/mechanism.h"

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
///
/// Every step vouches for itself: at its end all joints are looked at, those equations that are left out as repetitions
/// included (closed_joints.h), that all numbers are finite and that rotations are rotations. As the mechanism moves the
/// rows that are left out are chosen anew (redundancy.h); a step in which they part from the others is repeated with a new
/// choice, and where that does not help the run ends with the state before it.
class ClassicalMechanismEngine : public Engine, private StepWitness {
 public:
  static const EngineType type;

  void persist(Archive& archive) override;
  /// That a singular position was passed, where this run may have left the motion.
  std::string warning() const override;

  /// The motion of all bodies in a state, principal axes.
  virtual MechanismMotion motion(double t, const VectorX& y) const = 0;

  const Mechanism& mechanism() const { return *mechanism_; }

  Balance balance(double t, const VectorX& y) const override;
  void goOnFrom(double time, const std::vector<Body>& bodies) override;
  Stepper& stepper() override { return *stepper_; }

 protected:
  Observation observed(double t, const VectorX& y, Detail detail) const override;

  ClassicalMechanismEngine(std::shared_ptr<const Mechanism> mechanism, const SimulationSettings& settings);

  /// To be called once at the end of construction, with what makes the integrator at a time and a state.
  void setStepper(VouchedStepper::Maker make);

  /// The state in which the bodies move like this.
  virtual VectorX stateOf(double t, const MechanismMotion& bodies) const = 0;

  /// The rows that are left out from now on, and the state y as these equations want it.
  virtual void leaveOut(const std::vector<int>& rows, double t, VectorX& y) = 0;

  const Redundancy& redundancy() const { return redundancy_; }

  /// What the equations of joints pull with along their gradients; at least those of joints that close loops.
  virtual VectorX pulls(double t, const VectorX& y) const = 0;

  /// How far the coordinates of the rotations are from their own constraints.
  virtual double chartViolation(const VectorX& y) const = 0;

 private:
  void begin(double time, const MechanismMotion& bodies);
  void complete(Balance& sums, double t, const VectorX& y, const MechanismMotion& bodies) const;
  double power(double t, const VectorX& y) const;
  void seeSingularity(double t);

  bool prepare(double t, VectorX& y) override;
  Objection objection(double t, const VectorX& y) override;
  bool remedy(double t, VectorX& y) override;

  std::shared_ptr<const Mechanism> mechanism_;
  JointGaps gaps_{*mechanism_};
  Redundancy redundancy_;
  ClosedJoints closed_;
  std::string integrator_;
  double strongest_ = 0.0, weakest_ = 1.0, weakestTime_ = 0.0;  // how far from singular positions, on the way
  double storedAtStart_ = 0.0;                                  // see work.h
  VouchedStepper::Maker make_;
  std::unique_ptr<MeteredStepper> stepper_;
  mutable InstantWatch watch_;
};

/// Of a model and settings that have no obstacle. Throws InputError for names that do not exist.
std::unique_ptr<ClassicalMechanismEngine> makeClassicalMechanismEngine(const Model& model,
                                                                       const SimulationSettings& settings);

}  // namespace polhode
