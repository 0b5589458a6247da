#pragma once

#include "analysis/drift_monitor.h"
#include "analysis/engine.h"

namespace polhode {

/// Looks at the steps of a run and tells the monitor their sums: each at once, or where the engine has the sums of several
/// steps together (Engine::stepSums) when as many were kept. Knows where the motion was last seen to be good.
class StepWatch {
 public:
  /// Both must outlive it.
  StepWatch(Engine& engine, DriftMonitor& monitor);

  /// Where the engine is now the motion is good.
  void begin();

  /// After a step, or a part of it, that ended at t with the state y. Throws SimulationError as `look` does.
  void afterStep(double t, const VectorX& y);

  /// Looks at what was kept. Throws SimulationError where a motion has left the range of numbers; what is kept behind that
  /// step is forgotten.
  void look();

  /// When the motion was seen last and was good, and the state it had then.
  double lastTime() const { return lastTime_; }
  void lastState(VectorX& y) const;

 private:
  void lookAtOne(double t, const VectorX& y);

  Engine& engine_;
  DriftMonitor& monitor_;
  const StepSums* sums_;  // null: one by one
  KeptSteps kept_;
  double lastTime_ = 0.0;
  VectorX lastState_;  // where steps are kept; else the stepper has it
};

}  // namespace polhode
