#pragma once

#include "analysis/engines/classical_mechanism_engine.h"
#include "integrate/piecewise_stepper.h"
#include "system/mechanism_system.h"
#include "system/selected_constraints.h"

namespace polhode {

/// What the formulations in absolute coordinates y = (q, v, ...) share: the bodies, the constraints without redundant ones, and
/// the way back onto them.
class AbsoluteEngine : public ClassicalMechanismEngine {
 public:
  MechanismMotion motion(double t, const VectorX& y) const override;

 protected:
  AbsoluteEngine(std::shared_ptr<const Mechanism> mechanism, const SimulationSettings& settings);

  VectorX stateOf(double t, const MechanismMotion& bodies) const override;
  VectorX pulls(double t, const VectorX& y) const override { return -multipliers(t, y); }
  double chartViolation(const VectorX& y) const override;

  /// Puts (q, v) of a state onto the constraints.
  Impact impact() const;

  /// Moves q and v to where the rows that are kept now are fulfilled, by about the roundings of the model.
  void leaveOut(const std::vector<int>& rows, double t, VectorX& y) override;

  /// y = (q, v, ...)
  virtual VectorX stateAt(double t, const VectorX& q, const VectorX& v) const = 0;

  std::shared_ptr<const MechanismSystem> system_;
  std::shared_ptr<SelectedConstraints> selected_;  // without the redundant ones
};

}  // namespace polhode
