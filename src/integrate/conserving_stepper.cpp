#include "integrate/conserving_stepper.h"

#include "integrate/archive.h"
#include "integrate/composition.h"
#include "integrate/step_failure.h"
#include "polhode/error.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace polhode {

namespace {

/// The factor of the next step after one with this error, for a scheme of order p.
double nextStepFactor(double error, double tolerance, int order) {
  if (error == 0.0) return 5.0;
  if (!std::isfinite(error)) return 0.2;
  return std::clamp(std::pow(0.9 * tolerance / error, 1.0 / (order + 1)), 0.2, 5.0);
}

/// The same where iterations contract by so much, which grows with the step: longer steps than this take more iterations than
/// they save. It does not grow evenly, so that no step goes far beyond the one that it was seen in.
double nextStepFactor(double contraction) {
  constexpr double most = 0.3;
  return contraction > 0.0 ? std::clamp(most / contraction, 0.3, 3.0) : 5.0;
}

/// The next step of a distance that is to be gone in steps of at most `most`. What would leave a splinter is halved before:
/// a step of 1e-15 s has no velocity, only the roundings of two positions divided by it.
double partOf(double distance, double most) {
  if (distance <= most) return distance;
  return distance < 1.1 * most ? 0.5 * distance : most;
}

/// What happens at a time is behind it only where the two are the same to the last digit: the later one of both.
double behind(const StepBreaks& breaks, double time, double margin) {
  const auto next = std::upper_bound(breaks.times.begin(), breaks.times.end(), time + margin);
  return next == breaks.times.begin() ? time : std::max(time, *std::prev(next));
}

}  // namespace

ConservingStepper::ConservingStepper(std::string name, double end, double length)
    : name_(std::move(name)), end_(end), length_(length), grid_(length, end), chosen_(length) {
  if (!(length > 0.0)) throw InputError(fmt::format("{}: the step is {}; give one above zero", name_, length));
}

void ConservingStepper::compose(int order, bool nearIdentity) {
  parts_ = subStepsOf(order, nearIdentity);
  order_ = order;
  name_ += fmt::format("-{}", order);
}

void ConservingStepper::control(double tolerance, double smallest) {
  if (!(tolerance > 0.0))
    throw InputError(fmt::format("{}: the tolerance is {}; give one above zero", name_, tolerance));
  tolerance_ = tolerance;
  smallest_ = smallest;
}

void ConservingStepper::endStepsAt(StepBreaks breaks) {
  breaks_ = std::move(breaks);
  grid_ = StepGrid(length_, end_, breaks_);
  grid_.beginAt(time_);
}

void ConservingStepper::beginAt(double time) {
  time_ = previousTime_ = time;
  grid_.beginAt(time);
  chosen_ = length_;
  show(y_);
  previous_ = y_;
  isBehind_ = false;
  forget();
}

void ConservingStepper::step() {
  if (time_ >= end_) return;
  choosesSteps() ? chosenStep() : fixedStep();
}

void ConservingStepper::fixedStep() {
  const StepGrid::Step next = grid_.from(time_);
  const StepReport report = wholeStep(time_, next.length);
  count(report);
  if (!report.converged) fail(next.length, report);
  grid_.take(next);
  end(next.end, grid_.breaksAt(next.end));
}

void ConservingStepper::advance(double length) {
  const StepReport report = wholeStep(time_, length);
  count(report);
  if (!report.converged) fail(length, report);
  end(time_ + length, false);
}

void ConservingStepper::chosenStep() {
  const double since = std::max(std::abs(time_), length_), margin = 1e-12 * since;
  const double smallest = smallest_ > 0.0 ? smallest_ : 1e-13 * since;
  const double largest = breaks_.largestStep(time_ + margin), target = breaks_.next(time_, margin, end_);
  chosen_ = std::min(chosen_, largest);
  keep(beforeStep);
  for (bool rejected = false;; rejected = true) {
    const double h = partOf(target - time_, chosen_);
    double error = 0.0;
    const StepReport report = tryStep(h, error);
    count(report);
    const bool contractsSlowly = !report.converged && report.contraction > 0.0;
    double factor = contractsSlowly ? nextStepFactor(report.contraction) : 0.5;
    if (report.converged)
      factor = std::min(margin_ * nextStepFactor(error, tolerance_, order_), nextStepFactor(report.contraction));
    if (report.converged && error <= tolerance_) {
      // no growth right after a rejection
      if (h == chosen_ || factor < 1.0) chosen_ = std::min(h * (rejected ? std::min(factor, 1.0) : factor), largest);
      const double next = h == target - time_ ? target : time_ + h;
      const bool somethingHappens = breaks_.at(next, margin);
      if (somethingHappens) chosen_ = std::min(length_, largest);
      return end(next, somethingHappens);
    }
    comeBack(beforeStep);
    if (report.converged)
      refuse();
    else if (!contractsSlowly)
      forget();
    ++work_.rejected;
    chosen_ = h * std::min(factor, 0.9);
    if (chosen_ >= smallest) continue;
    if (report.converged) throwToleranceFailure(name_, time_, h, error, tolerance_);
    fail(h, report);
  }
}

/// A step at once and, unless the scheme knows its error, from where it began as two halves, which are kept.
StepReport ConservingStepper::tryStep(double h, double& error) {
  mayRefuse_ = true;
  StepReport report = wholeStep(time_, h);
  mayRefuse_ = false;
  if (!report.converged) return report;
  error = estimatedError();
  if (!(error < 0.0)) return report;
  keep(atOnce);
  goBack(beforeStep);
  report += wholeStep(time_, 0.5 * h);
  if (report.converged) report += wholeStep(time_ + 0.5 * h, 0.5 * h);
  if (report.converged) error = distanceFrom(atOnce) / (std::pow(2.0, order_) - 1.0);
  return report;
}

StepReport ConservingStepper::wholeStep(double t, double h) {
  if (!isComposed()) return bareStep(t, h, 0);
  keep(beforeParts);
  const StepReport report = composedStep(parts_, h, [&](double length, int part) {
    const StepReport each = bareStep(t, length, part);
    t += length;
    return each;
  });
  if (!report.converged) goBack(beforeParts);
  return report;
}

void ConservingStepper::goBack(Place place) {
  comeBack(place);
  forget();
}

void ConservingStepper::count(const StepReport& report) {
  work_.newtonIterations += report.iterations;
  work_.rhsEvaluations += report.iterations;
  work_.factorisations += report.factorisations;
  work_.jacobians = work_.factorisations;
}

void ConservingStepper::end(double time, bool somethingHappens) {
  ++work_.steps;
  arrive(somethingHappens ? behind(breaks_, time, 1e-9 * length_) : time, somethingHappens);
  previousTime_ = time_;
  time_ = time;
  previous_.swap(y_);
  show(y_);
  if (somethingHappens) forget();
  isBehind_ = somethingHappens && passBreak();
  if (!isBehind_) return;
  beforeBreak_ = y_;
  show(y_);
}

void ConservingStepper::interpolate(double t, VectorX& y) const {
  if (!(t < time_)) {
    y = y_;
  } else if (!(t > previousTime_)) {
    y = previous_;
  } else {
    const double h = time_ - previousTime_;
    blend(previous_, isBehind_ ? beforeBreak_ : y_, h, (t - previousTime_) / h, y);
  }
}

void ConservingStepper::replaceState(const VectorX& y) {
  take(y);
  show(y_);
  forget();
  chosen_ = length_;
}

void ConservingStepper::persist(Archive& archive) {
  archive.section("conserving");
  persistScheme(archive);
  archive(time_, previousTime_, grid_, chosen_, y_, previous_, beforeBreak_, isBehind_, work_);
}

void ConservingStepper::fail(double h, const StepReport& report) const {
  throwStepFailure(name_, time_, h, report, remedy(), std::abs(h) * turnRate());
}

}  // namespace polhode
