#pragma once

#include "integrate/one_step.h"
#include "integrate/stiffness_watch.h"

#include <algorithm>

namespace polhode {

/// What the explicit Runge-Kutta codes with an error estimate share: the first step and the loop over attempts. A method
/// derives from this class and provides
///
///     attempt(h)     stages and result of a step of size h; returns the mean square of its weighted error
///     keepStep(h)    moves the state to the result of an accepted attempt; time moves on afterwards. False, and nothing
///                    moves, where the equations have no finite value there
///     stretch(h)     h |lambda| of the step just kept, see stiffness_watch.h
///
/// An attempt that leaves the domain of the equations counts as rejected. Nothing is allocated after construction.
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
      double squaredError = std::numeric_limits<double>::infinity();
      bool kept = false;
      this->isDefined([&] {
        squaredError = method.attempt(h_);
        kept = squaredError <= 1.0 && method.keepStep(h_);
      });
      if (kept) {
        const double h = h_;
        h_ = std::min(controller_.accept(h, squaredError), hMax_);
        this->moveTo(h);
        if (stiffness_.isDue(work_.steps)) stiffness_.see(this->t_, method.stretch(h));
        return;
      }
      if (squaredError <= 1.0) squaredError = std::numeric_limits<double>::infinity();
      h_ = controller_.reject(h_, squaredError);
      ++work_.rejected;
    }
  }

  std::string warning() const { return stiffness_.warning(); }

 protected:
  EmbeddedRungeKutta(const Ode& ode, double t0, const State& y0, double tEnd, const IntegratorOptions& options,
                     const StepController::Parameters& parameters, double borderOfStability)
      : Base(ode, t0, y0, tEnd, options), controller_(parameters), stiffness_(borderOfStability) {}

  void persistBase(Archive& archive) {
    Base::persistBase(archive);
    controller_.persist(archive);
    archive.plain(stiffness_);
  }

  /// The first step to try with a method of this order, from the slope f at the start; two states serve as work space.
  void chooseFirstStep(int order, const State& f, State& work, State& secondSlope) {
    h_ = this->options_.initialStep;
    if (h_ > 0.0) return;
    ++work_.rhsEvaluations;
    const bool found = this->isDefined(
        [&] { h_ = firstStep(*this->ode_, this->t_, this->y_, f, this->weights_, order, hMax_, work, secondSlope); });
    if (!found) h_ = std::min(cautiousStep, hMax_);
  }

 private:
  using Base::h_, Base::hMax_, Base::work_;

  static constexpr double cautiousStep = 1e-6;

  StepController controller_;
  StiffnessWatch stiffness_;
};

}  // namespace polhode
