#pragma once

#include "control/control_equation.h"
#include "control/control_law.h"

#include <functional>
#include <optional>

/// Single-step optimal control of Lipovac 2020, chapter 4: each step minimises the deviation at its end and the force in
/// L2 or H1. With the adjoint variables stepped backwards, (4.26) and (4.27), and P M^-1 P^T = W,
///
///     f_k = -h W [x_k+1 - h(t_k+1) + h (x_k - h(t_k))],     x_k+1 = x_k + h v_k
///
/// loads the control equation (control_equation.h), whose solution is the force. On orientations the brackets are
/// rotation vectors, the null-space form with K = I in place of the thesis' Kardan angles.
///
/// These laws are undamped springs: their amplification factor is slightly above one, and their stiffness depends on the
/// step. They are here to be compared; recedingHorizon (receding_horizon.h) is the one to use.
namespace polhode {

/// The gains for a step size.
using GainsOfStep = std::function<ControlEquationGains(double step)>;

template <class Motion>
class OneStepLaw : public ControlLaw<Motion> {
 public:
  /// With `compensate`, forces that are known are cancelled, section 4.3.
  OneStepLaw(GainsOfStep gains, bool compensate) : gainsOfStep_(std::move(gains)), compensate_(compensate) {}

  void observe(const Sample<Motion>& sample) override { target_ = sample.place; }

  Vector3 force(const DrivenState<Motion>& state) override {
    if (state.step != step_) {
      step_ = state.step;
      gains_ = gainsOfStep_(step_);
    }
    const Vector3 now = Motion::difference(state.place, lastTarget_.value_or(target_));
    const Vector3 next = Motion::difference(Motion::moved(state.place, step_ * state.velocity), target_);
    lastTarget_ = target_;
    const Vector3 load = -step_ * (state.mobility * (next + step_ * now));
    control_ = gains_.ofLoad * load + gains_.ofLast * control_;
    if (!compensate_) return control_;
    return control_ - forceFor(state.freeAcceleration, state.mobility);
  }

  void persist(Archive& archive) override { archive(target_, lastTarget_, control_, gains_, step_); }

 private:
  GainsOfStep gainsOfStep_;
  bool compensate_;
  typename Motion::Place target_;
  std::optional<typename Motion::Place> lastTarget_;  // at the begin of the step
  Vector3 control_ = Vector3::Zero();                 // mu
  ControlEquationGains gains_;
  double step_ = 0.0;
};

}  // namespace polhode
