#include "polhode/analysis/run.h"

#include "polhode/analysis/observable.h"
#include "polhode/error.h"
#include "polhode/integrate/event.h"

#include <chrono>
#include <cmath>

#include <fmt/format.h>

namespace polhode {

namespace {

/// A vector that ought to stay, and how far each component went, relative to the largest length it had.
class VectorDrift {
 public:
  void see(const Vector3& now) {
    if (!first_) first_ = now;
    largest_ = std::max(largest_, now.norm());
    drift_ = drift_.cwiseMax((now - *first_).cwiseAbs());
  }
  Vector3 relative() const { return largest_ > 0.0 ? Vector3(drift_ / largest_) : Vector3(Vector3::Zero()); }

 private:
  std::optional<Vector3> first_;
  double largest_ = 0.0;
  Vector3 drift_ = Vector3::Zero();
};

/// The same for a momentum of which one component ought to stay.
class ComponentDrift {
 public:
  explicit ComponentDrift(const ConservedMomentum& momentum) : momentum_(momentum) {}

  void see(const Observation& now, const Vector3& centre) {
    const Vector3 vector = momentum_.vector(now.linearMomentum, now.angularMomentum, centre);
    const double component = momentum_.direction.dot(vector);
    if (!first_) first_ = component;
    // a spin about the centre may be nothing at all, beside the angular momentum of the flight that is taken from it
    const bool angular = momentum_.kind != MomentumKind::linear;
    largest_ = std::max({largest_, vector.norm(), angular ? now.angularMomentum.norm() : 0.0});
    drift_ = std::max(drift_, std::abs(component - *first_));
  }
  MomentumDrift relative() const { return {momentum_, largest_ > 0.0 ? drift_ / largest_ : 0.0}; }

 private:
  ConservedMomentum momentum_;
  std::optional<double> first_;
  double largest_ = 0.0, drift_ = 0.0;
};

/// Follows the invariants and keeps the extremes of their drift.
class DriftMonitor {
 public:
  DriftMonitor(const Observation& first, const Conservation& conserved, RunResult& result) : result_(result) {
    result_.initial = first;
    result_.conserved = conserved;
    for (const ConservedMomentum& momentum : conserved.all) components_.emplace_back(momentum);
    see(first);
  }

  void see(const Observation& now) {
    const Observation& first = result_.initial;
    largestEnergy_ =
        std::max({largestEnergy_, std::abs(now.kineticEnergy), std::abs(now.potentialEnergy), std::abs(now.work)});
    energyDrift_ = std::max(energyDrift_, std::abs(now.energy() - first.energy()));
    balanceError_ = std::max(balanceError_, std::abs((now.energy() - now.work) - (first.energy() - first.work)));
    linear_.see(now.linearMomentum);
    angular_.see(now.angularMomentum);
    const Vector3 centre = centreOfMass(now.bodies);
    for (ComponentDrift& component : components_) component.see(now, centre);
    result_.positionViolation = std::max(result_.positionViolation, now.positionViolation);
    result_.velocityViolation = std::max(result_.velocityViolation, now.velocityViolation);
    if (now.nodeEnergy) nodeEnergyDrift_ = std::max(nodeEnergyDrift_, std::abs(*now.nodeEnergy - *first.nodeEnergy));
    result_.final = now;
  }

  /// Drifts are relative to the largest value that the quantity's parts had.
  void finish() {
    if (largestEnergy_ > 0.0) {
      result_.energyDrift = energyDrift_ / largestEnergy_;
      result_.balanceError = balanceError_ / largestEnergy_;
    }
    if (largestEnergy_ > 0.0 && result_.final.nodeEnergy) result_.nodeEnergyDrift = nodeEnergyDrift_ / largestEnergy_;
    result_.linearMomentumDrift = linear_.relative();
    result_.angularMomentumDrift = angular_.relative();
    for (const ComponentDrift& component : components_) result_.conservedMomenta.push_back(component.relative());
  }

 private:
  RunResult& result_;
  double largestEnergy_ = 0.0, energyDrift_ = 0.0, balanceError_ = 0.0, nodeEnergyDrift_ = 0.0;
  VectorDrift linear_, angular_;
  std::vector<ComponentDrift> components_;
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
      write(simulation_.observe(now.time, y), y);
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
  DriftMonitor monitor(first, options.conserved, result);
  Recorder recorder(simulation, options, first, result.recording);

  std::optional<EventLocator> event;
  if (!options.stopWhen.empty()) {
    const Condition condition = parseCondition(options.stopWhen, first);
    event.emplace(stepper, [&simulation, condition](double t, const VectorX& y) {
      return condition.observable.value(simulation.observe(t, y, condition.observable.detail)) - condition.value;
    });
  }

  const auto start = std::chrono::steady_clock::now();
  VectorX y = stepper.state(), told = y;  // that of result.final
  // Forces are asked for only where a row tells them.
  const Detail detail = options.record && !options.outputEvery ? Detail::forces : Detail::motion;
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
        simulation.projectState();
        y = stepper.state();
      }
      const Observation now = simulation.observe(t, y, detail);
      monitor.see(now);
      told = y;
      recorder.afterStep(now, y);
      if (options.progress) options.progress(t);
    }
  } catch (const SimulationError& error) {
    result.failure = error.what();
  }
  result.warning = simulation.warning();
  result.wallSeconds = secondsSince(start);
  result.work = stepper.work();
  try {
    result.final = simulation.observe(result.final.time, told);
  } catch (const SimulationError&) {
    // where the run failed the last good state is told as it was seen
  }
  recorder.finish(result.final, told);
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
  options.conserved = conservationOf(model);
  options.progress = std::move(progress);
  return run(*simulation, options);
}

}  // namespace polhode
