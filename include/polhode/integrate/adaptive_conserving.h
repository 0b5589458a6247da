#pragma once

#include "polhode/integrate/step_failure.h"
#include "polhode/integrate/step_report.h"
#include "polhode/integrate/stepper.h"

#include <algorithm>
#include <cmath>
#include <concepts>
#include <limits>
#include <utility>

/// Step-size control that keeps every conservation law.
///
/// A step h is done twice, at once and as two halves; with a scheme of order p the result of the halves is
/// off by about
///
///     error = distance(one step, two halves) / (2^p - 1)
///
/// and *that result itself* is kept, not an extrapolation of the two: each half conserves what the scheme
/// conserves, and an extrapolation would not. The next step is h (0.9 tolerance/error)^(1/(p+1)), within a
/// factor of 5. A step that does not converge is tried again with half its length.
///
/// Works for any one-step scheme with a distance between states, compositions included. Reference: Hairer,
/// Norsett & Wanner 1993, Solving Ordinary Differential Equations I, II.4.
namespace polhode {

/// The factor of the next step after one with this error, for a scheme of order p.
inline double nextStepFactor(double error, double tolerance, int order) {
  if (error == 0.0) return 5.0;
  if (!std::isfinite(error)) return 0.2;
  return std::clamp(std::pow(0.9 * tolerance / error, 1.0 / (order + 1)), 0.2, 5.0);
}

template <class S>
concept ControllableScheme = requires(const S& scheme, typename S::State& state, double h) {
  { S::order } -> std::convertible_to<int>;
  { S::name } -> std::convertible_to<std::string_view>;
  { S::remedy } -> std::convertible_to<std::string_view>;
  { scheme.step(state, h) } -> std::same_as<StepReport>;
  { scheme.distance(state, state) } -> std::convertible_to<double>;
};

struct StepControl {
  double tolerance = 1e-8;    // of the distance that one step adds
  double firstStep = 1e-3;    // positive; corrected at once if it does not fit
  double smallestStep = 0.0;  // below it the run is given up; zero: 1e-13 of the time passed or the first step
  double largestStep = std::numeric_limits<double>::infinity();
};

template <ControllableScheme Scheme>
class AdaptiveConserving {
 public:
  using State = typename Scheme::State;

  AdaptiveConserving(Scheme scheme, State initial, const StepControl& control = {}, double startTime = 0.0)
      : scheme_(std::move(scheme)),
        state_(std::move(initial)),
        control_(control),
        time_(startTime),
        step_(std::min(control.firstStep, control.largestStep)) {}

  /// One accepted step, shortened to end at `end` where it would pass it. Throws SimulationError when no step
  /// converges or satisfies the tolerance; state and time are then those of the last accepted step.
  void step(double end) {
    bool rejected = false;
    for (;;) {
      const double h = std::min(step_, end - time_);
      State once = state_, halves = state_;
      StepReport report = scheme_.step(once, h);
      if (report.converged) report += scheme_.step(halves, 0.5 * h);
      if (report.converged) report += scheme_.step(halves, 0.5 * h);
      work_.newtonIterations += report.iterations;
      work_.factorisations += report.factorisations;

      const double error =
          report.converged ? scheme_.distance(once, halves) / (std::pow(2.0, Scheme::order) - 1.0) : 0.0;
      double factor = report.converged ? nextStepFactor(error, control_.tolerance, Scheme::order) : 0.5;
      if (report.converged && error <= control_.tolerance) {
        if (rejected) factor = std::min(factor, 1.0);  // no growth right after a rejection
        accept(std::move(halves), h, h == end - time_, end);
        if (h == step_ || factor < 1.0) step_ = std::min(h * factor, control_.largestStep);
        return;
      }
      rejected = true;
      ++work_.rejected;
      step_ = h * std::min(factor, 0.9);
      if (step_ >= smallestStep()) continue;
      if (report.converged) throwToleranceFailure(Scheme::name, time_, h, error, control_.tolerance);
      throwStepFailure(Scheme::name, time_, h, report, Scheme::remedy);
    }
  }

  /// No step from now on is longer.
  void limitStep(double largest) {
    control_.largestStep = largest;
    step_ = std::min(step_, largest);
  }

  /// Begins with a first step as at the start: what the last steps have shown no longer holds.
  void beginAnew() { step_ = std::min(control_.firstStep, control_.largestStep); }

  /// Steps until `end`.
  void advanceTo(double end) {
    while (time_ < end) step(end);
  }

  double time() const { return time_; }
  double nextStep() const { return step_; }
  const State& state() const { return state_; }
  State& state() { return state_; }  // may be changed between steps
  const Scheme& scheme() const { return scheme_; }
  const WorkCounts& work() const { return work_; }

  /// Where it is (archive.h).
  template <class Archive>
  void persist(Archive& archive) {
    archive(state_, time_, step_, work_);
  }

 private:
  double smallestStep() const {
    return control_.smallestStep > 0.0 ? control_.smallestStep : 1e-13 * std::max(std::abs(time_), control_.firstStep);
  }

  void accept(State&& next, double h, bool last, double end) {
    state_ = std::move(next);
    time_ = last ? end : time_ + h;
    ++work_.steps;
  }

  Scheme scheme_;
  State state_;
  StepControl control_;
  double time_, step_;
  WorkCounts work_;
};

}  // namespace polhode
