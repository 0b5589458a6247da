#pragma once

#include "polhode/integrate/one_step.h"

#include <algorithm>

namespace polhode {

/// What the explicit Runge-Kutta codes with an error estimate share: the first step and the loop over attempts. A method
/// derives from this class and provides
///
///     attempt(h)     stages and result of a step of size h; returns the mean square of its weighted error
///     keepStep(h)    moves the state to the result of an accepted attempt; time moves on afterwards
///
/// Nothing is allocated after construction.
template <class Method, OdeType Ode>
class EmbeddedRungeKutta : public OneStepCode<Ode> {
  using Base = OneStepCode<Ode>;

 public:
  using typename Base::State;

  /// One accepted step. Throws SimulationError if the step size underflows or the steps run out; the state then stays as
  /// it was.
  void step() {
    auto& method = static_cast<Method&>(*this);
    for (;;) {
      this->requireProgress();
      this->aimAtEnd();
      const double squaredError = method.attempt(h_);
      if (squaredError <= 1.0) {
        const double h = h_;
        method.keepStep(h);
        h_ = std::min(controller_.accept(h, squaredError), hMax_);
        this->moveTo(h);
        return;
      }
      h_ = controller_.reject(h_, squaredError);
      ++work_.rejected;
    }
  }

 protected:
  EmbeddedRungeKutta(const Ode& ode, double t0, const State& y0, double tEnd, const IntegratorOptions& options,
                     const StepController::Parameters& parameters)
      : Base(ode, t0, y0, tEnd, options), controller_(parameters) {}

  /// The first step to try with a method of this order, from the slope f at the start; two states serve as work space.
  void chooseFirstStep(int order, const State& f, State& work, State& secondSlope) {
    h_ = this->options_.initialStep;
    if (h_ > 0.0) return;
    h_ = firstStep(*this->ode_, this->t_, this->y_, f, this->weights_, order, hMax_, work, secondSlope);
    ++work_.rhsEvaluations;
  }

 private:
  using Base::h_, Base::hMax_, Base::work_;

  StepController controller_;
};

}  // namespace polhode
