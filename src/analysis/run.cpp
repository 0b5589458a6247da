#include "polhode/analysis/run.h"

#include "polhode/analysis/observable.h"
#include "polhode/error.h"
#include "polhode/integrate/event.h"

#include <chrono>
#include <cmath>

#include <fmt/format.h>

namespace polhode {

namespace {

/// Follows the invariants and keeps the extremes of their drift.
class DriftMonitor {
 public:
  DriftMonitor(const Observation& first, RunResult& result) : result_(result) {
    result_.initial = first;
    see(first);
  }

  void see(const Observation& now) {
    const Observation& first = result_.initial;
    largestEnergy_ = std::max({largestEnergy_, std::abs(now.kineticEnergy), std::abs(now.potentialEnergy)});
    largestMomentum_ = std::max(largestMomentum_, now.angularMomentum.norm());
    energyDrift_ = std::max(energyDrift_, std::abs(now.energy() - first.energy()));
    momentumDrift_ = momentumDrift_.cwiseMax((now.angularMomentum - first.angularMomentum).cwiseAbs());
    result_.positionViolation = std::max(result_.positionViolation, now.positionViolation);
    result_.velocityViolation = std::max(result_.velocityViolation, now.velocityViolation);
    if (now.nodeEnergy) nodeEnergyDrift_ = std::max(nodeEnergyDrift_, std::abs(*now.nodeEnergy - *first.nodeEnergy));
    result_.final = now;
  }

  /// Drifts are relative to the largest value that the quantity's parts had.
  void finish() {
    if (largestEnergy_ > 0.0) result_.energyDrift = energyDrift_ / largestEnergy_;
    if (largestEnergy_ > 0.0 && result_.final.nodeEnergy) result_.nodeEnergyDrift = nodeEnergyDrift_ / largestEnergy_;
    if (largestMomentum_ > 0.0) result_.angularMomentumDrift = momentumDrift_ / largestMomentum_;
  }

 private:
  RunResult& result_;
  double largestEnergy_ = 0.0, largestMomentum_ = 0.0, energyDrift_ = 0.0, nodeEnergyDrift_ = 0.0;
  Vector3 momentumDrift_ = Vector3::Zero();
};

/// Writes rows into a recording: at even times through dense output, or at every step.
class Recorder {
 public:
  Recorder(const Simulation& simulation, const RunOptions& options, const Observation& first, Recording& recording)
      : simulation_(simulation), every_(options.outputEvery), recording_(recording), start_(first.time) {
    if (!options.record) return;
    observables_ = observables(first);
    recording_.columns.push_back("time");
    for (const Observable& o : observables_) recording_.columns.push_back(o.name);
    const VectorX& y = simulation.stepper().state();
    for (int i = 0; i < simulation.multipliers(first.time, y).size(); ++i)
      recording_.columns.push_back(fmt::format("multiplier.{}", i + 1));
    row_.resize(recording_.columns.size());
    write(first, y);
  }

  /// After a step that ended at `now`, whose interior lies before the stepper's present time.
  void afterStep(const Observation& now, const VectorX& y) {
    if (observables_.empty()) return;
    if (!every_) return write(now, y);
    for (double t = nextTime(); t < now.time * (1.0 - 1e-14); t = nextTime()) {
      simulation_.stepper().interpolate(t, work_);
      ++written_;
      write(simulation_.observe(t, work_), work_);
    }
    if (std::abs(nextTime() - now.time) <= 1e-12 * std::abs(now.time)) {
      ++written_;
      write(now, y);
    }
  }

  /// The end of the run is always recorded.
  void finish(const Observation& last, const VectorX& y) {
    if (observables_.empty() || recording_.at(recording_.rows() - 1, 0) == last.time) return;
    write(last, y);
  }

 private:
  double nextTime() const { return start_ + static_cast<double>(written_ + 1) * *every_; }

  void write(const Observation& observation, const VectorX& y) {
    row_[0] = observation.time;
    std::size_t next = 1;
    for (const Observable& o : observables_) row_[next++] = o.value(observation);
    if (next < row_.size())
      for (const double multiplier : simulation_.multipliers(observation.time, y)) row_[next++] = multiplier;
    recording_.append(row_);
  }

  const Simulation& simulation_;
  std::optional<double> every_;
  Recording& recording_;
  double start_;
  long written_ = 0;
  std::vector<Observable> observables_;
  std::vector<double> row_;
  VectorX work_ = simulation_.stepper().state();
};

double secondsSince(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

}  // namespace

RunResult run(Simulation& simulation, const RunOptions& options) {
  RunResult result;
  Stepper& stepper = simulation.stepper();
  const Observation first = simulation.observe(stepper.time(), stepper.state());
  DriftMonitor monitor(first, result);
  Recorder recorder(simulation, options, first, result.recording);

  std::optional<EventLocator> event;
  if (!options.stopWhen.empty()) {
    const Condition condition = parseCondition(options.stopWhen, first);
    event.emplace(stepper, [&simulation, condition](double t, const VectorX& y) {
      return condition.observable.value(simulation.observe(t, y)) - condition.value;
    });
  }

  const auto start = std::chrono::steady_clock::now();
  VectorX y = stepper.state();
  try {
    while (stepper.time() < options.end && !result.stoppedByEvent) {
      stepper.step();
      double t = stepper.time();
      const std::optional<double> crossing = event ? event->afterStep() : std::nullopt;
      if (crossing) {
        t = *crossing;
        stepper.interpolate(t, y);
        result.stoppedByEvent = true;
      } else {
        y = stepper.state();
        if (simulation.project(t, y)) stepper.replaceState(y);
      }
      const Observation now = simulation.observe(t, y);
      monitor.see(now);
      recorder.afterStep(now, y);
      if (options.progress) options.progress(t);
    }
  } catch (const SimulationError& error) {
    result.failure = error.what();
  }
  result.wallSeconds = secondsSince(start);
  result.work = stepper.work();
  recorder.finish(result.final, y);
  monitor.finish();
  return result;
}

RunResult simulate(const Model& model, const SimulationSettings& settings, bool record,
                   std::function<void(double)> progress) {
  const auto simulation = makeSimulation(model, settings);
  RunOptions options;
  options.end = settings.end;
  options.outputEvery = settings.outputEvery;
  options.stopWhen = settings.stopWhen;
  options.record = record;
  options.progress = std::move(progress);
  return run(*simulation, options);
}

}  // namespace polhode
