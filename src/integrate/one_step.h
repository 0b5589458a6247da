#pragma once

#include "integrate/archive.h"
#include "integrate/step_control.h"
#include "integrate/stepper.h"
#include "polhode/error.h"
#include "system/ode.h"

#include <cmath>
#include <exception>
#include <limits>

#include <fmt/format.h>

namespace polhode {

/// What every one-step code carries: where it is, where it came from, where it ends, what it has cost.
template <OdeType Ode>
class OneStepCode {
 public:
  using State = typename Ode::State;

  double time() const { return t_; }
  double previousTime() const { return tOld_; }
  const State& state() const { return y_; }
  const WorkCounts& work() const { return work_; }
  std::string warning() const { return ""; }

 protected:
  OneStepCode(const Ode& ode, double t0, const State& y0, double tEnd, const IntegratorOptions& options)
      : ode_(&ode),
        options_(options),
        weights_{options.relativeTolerance, options.absoluteTolerance},
        t_(t0),
        tOld_(t0),
        tEnd_(tEnd),
        hMax_(options.largestStep > 0.0 ? options.largestStep : tEnd - t0),
        y_(y0) {}

  void evaluate(double t, const State& y, State& f) {
    ode_->derivative(t, y, f);
    ++work_.rhsEvaluations;
  }

  /// Does what may lead to where the equations are not defined, such as a stage of a step that is too long. False if it
  /// does: a shorter step may get by. What was thrown is told where none does.
  template <class Trial>
  bool isDefined(Trial&& trial) {
    try {
      trial();
      return true;
    } catch (const SimulationError&) {
      failure_ = std::current_exception();
      return false;
    }
  }

  /// Throws what a trial from the present state threw, if one did.
  void rethrowFailure() const {
    if (failure_) std::rethrow_exception(failure_);
  }

  /// Lands on the end instead of leaving a tiny last step; to be called before an attempt.
  void aimAtEnd() {
    lastStep_ = t_ + 1.01 * h_ >= tEnd_;
    if (lastStep_) h_ = tEnd_ - t_;
  }

  void requireProgress() const {
    if (work_.steps + work_.rejected >= options_.mostSteps)
      throw SimulationError(
          t_, fmt::format("{} steps were not enough to get beyond t = {:.6g}; allow more steps, loosen the "
                          "tolerance or end earlier",
                          options_.mostSteps, t_));
    if (counts(h_)) return;
    rethrowFailure();
    throw SimulationError(
        t_, fmt::format("the step size fell to {:.3g} at t = {:.17g}, where steps no longer count; the motion "
                        "is singular there or the tolerance is too tight: loosen it or choose other coordinates",
                        h_, t_));
  }

  /// The end of an accepted step of size h: time moves on and lands on the end exactly, also where steps of a given size
  /// sum up to a rounding less.
  void moveTo(double h) {
    tOld_ = t_;
    t_ = lastStep_ || !counts(tEnd_ - (t_ + h)) ? tEnd_ : t_ + h;
    ++work_.steps;
    if (failure_) failure_ = nullptr;
  }

  /// What a step depends on, of the methods that derive from this class as well; the end may be another one.
  void persistBase(Archive& archive) { archive(t_, tOld_, h_, lastStep_, y_, work_); }

  /// Whether a step of this size is more than the rounding of time.
  bool counts(double h) const { return 0.1 * std::abs(h) > std::abs(t_) * std::numeric_limits<double>::epsilon(); }

  const Ode* ode_;
  IntegratorOptions options_;
  ErrorWeights weights_;
  double t_, tOld_, tEnd_, hMax_;
  double h_ = 0.0;
  bool lastStep_ = false;
  State y_;
  WorkCounts work_;

 private:
  std::exception_ptr failure_;  // of a trial from the present state
};

/// A one-step code behind the interface that everything else uses.
template <class Method>
class MethodStepper final : public Stepper {
 public:
  template <class... Arguments>
  explicit MethodStepper(Arguments&&... arguments) : method_(std::forward<Arguments>(arguments)...) {}

  void step() override { method_.step(); }
  double time() const override { return method_.time(); }
  double previousTime() const override { return method_.previousTime(); }
  const VectorX& state() const override { return method_.state(); }
  void interpolate(double t, VectorX& y) const override { method_.interpolate(t, y); }
  void replaceState(const VectorX& y) override { method_.replaceState(y); }
  const WorkCounts& work() const override { return method_.work(); }
  std::string warning() const override { return method_.warning(); }
  void persist(Archive& archive) override { method_.persist(archive); }

 private:
  Method method_;
};

}  // namespace polhode
