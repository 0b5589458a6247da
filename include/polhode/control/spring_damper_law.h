#pragma once

#include "polhode/control/control_law.h"

/// A spring and a damper that would stop the body critically damped, the law that every simulator has:
///
///     acceleration = w^2 (h - x) - 2 w v,     w = 1/time constant
///
/// It lags behind a moving hand by two time constants.
namespace polhode {

template <class Motion>
class SpringDamperLaw : public ControlLaw<Motion> {
 public:
  explicit SpringDamperLaw(double timeConstant) : timeConstant_(timeConstant) {}

  void observe(const Sample<Motion>& sample) override { target_ = sample.place; }

  Vector3 force(const DrivenState<Motion>& state) override {
    const Vector3 pull = Motion::difference(target_, state.place) / timeConstant_ - 2.0 * state.velocity;
    return forceFor(pull / timeConstant_ - state.freeAcceleration, state.mobility);
  }

 private:
  double timeConstant_;
  typename Motion::Place target_;
};

}  // namespace polhode
