#pragma once

#include "control/control_law.h"

#include <limits>

/// A spring and a damper that would stop the body critically damped, the law that every simulator has:
///
///     acceleration = w^2 (h - x) - 2 w v,     w = 1/time constant
///
/// It lags behind a moving hand by two time constants. A force beyond the largest is cut to it.
namespace polhode {

template <class Motion>
class SpringDamperLaw : public ControlLaw<Motion> {
 public:
  explicit SpringDamperLaw(double timeConstant, double largestForce = std::numeric_limits<double>::infinity())
      : timeConstant_(timeConstant), largestForce_(largestForce) {}

  void observe(const Sample<Motion>& sample) override { target_ = sample.place; }

  Vector3 force(const DrivenState<Motion>& state) override {
    const Vector3 pull = Motion::difference(target_, state.place) / timeConstant_ - 2.0 * state.velocity;
    const Vector3 force = forceFor(pull / timeConstant_ - state.freeAcceleration, state.mobility);
    return force.norm() > largestForce_ ? Vector3(force * (largestForce_ / force.norm())) : force;
  }

  void persist(Archive& archive) override { archive(target_); }

 private:
  double timeConstant_, largestForce_;
  typename Motion::Place target_;
};

}  // namespace polhode
