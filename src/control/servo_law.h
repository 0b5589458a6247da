#pragma once

#include "control/control_law.h"

#include <functional>
#include <optional>

/// A servo constraint on velocity level with Baumgarte's term, Lipovac 2020, (2.29) and (3.4):
///
///     v_k+1 = hdot(t_k+1) - (epsilon/h) (x_k+1 - h(t_k+1)),     x_k+1 = x_k + h v_k
///
/// The force is whatever gives this velocity. A signal that jumps makes it as large as the jump over the step squared.
namespace polhode {

/// Where the velocity of the signal comes from: the samples carry it (a formula's derivative, or central differences on
/// the signal's own grid), or it is the difference of the signal over the step.
enum class SignalVelocity { given, onStepGrid };

template <class Motion>
class ServoLaw : public ControlLaw<Motion> {
 public:
  ServoLaw(SignalVelocity velocity, double epsilon) : ServoLaw(velocity, [epsilon](double) { return epsilon; }) {}
  ServoLaw(SignalVelocity velocity, std::function<double(double step)> epsilonOfStep)
      : velocity_(velocity), epsilonOfStep_(std::move(epsilonOfStep)) {}

  void observe(const Sample<Motion>& sample) override { target_ = sample; }

  Vector3 force(const DrivenState<Motion>& state) override {
    const double h = state.step;
    const Vector3 gap = Motion::difference(Motion::moved(state.place, h * state.velocity), target_.place);
    Vector3 wanted = -epsilonOfStep_(h) / h * gap;
    if (velocity_ == SignalVelocity::given)
      wanted += target_.velocity;
    else
      wanted += Motion::difference(target_.place, lastTarget_.value_or(target_.place)) / h;
    lastTarget_ = target_.place;
    return forceFor((wanted - state.velocity) / h - state.freeAcceleration, state.mobility);
  }

  void persist(Archive& archive) override { archive(target_, lastTarget_); }

 private:
  SignalVelocity velocity_;
  std::function<double(double step)> epsilonOfStep_;
  Sample<Motion> target_;
  std::optional<typename Motion::Place> lastTarget_;
};

}  // namespace polhode
