#pragma once

#include "polhode/integrate/work_counts.h"
#include "polhode/math/types.h"

#include <string>

namespace polhode {

/// How an integrator that chooses its own step is to work. Zero stands for "the integrator's own default".
struct IntegratorOptions {
  double relativeTolerance = 1e-6;
  double absoluteTolerance = 1e-6;
  double initialStep = 0.0;
  double largestStep = 0.0;
  double fixedStep = 0.0;  // of those that need not choose their step (gauss-4 to gauss-16): all are that long
  long mostSteps = 100'000'000;
};

class Archive;

/// Advances a state through time, one accepted step a call. Constructed with its system, its initial value
/// and its end time; never steps beyond the end.
class Stepper {
 public:
  virtual ~Stepper() = default;

  /// One accepted step. Throws SimulationError when the step fails (the state stays as it was).
  virtual void step() = 0;

  virtual double time() const = 0;
  virtual double previousTime() const = 0;  // where the last step began
  virtual const VectorX& state() const = 0;

  /// The state at a time within the last step (dense output).
  virtual void interpolate(double t, VectorX& y) const = 0;

  /// Replaces the state at the present time (after a projection), forgetting what depended on the old one.
  virtual void replaceState(const VectorX& y) = 0;

  virtual const WorkCounts& work() const = 0;

  /// What a user should know about how the steps went, in one sentence; empty if nothing.
  virtual std::string warning() const { return ""; }

  /// Saves everything that the next steps depend on, or restores it (archive.h), so that a stepper made anew from the same
  /// system goes on bit by bit as this one. Throws InputError where that is not supported.
  virtual void persist(Archive& archive);
};

}  // namespace polhode
