#include "polhode/analysis/run.h"

#include "analysis/drift_monitor.h"
#include "analysis/engine_registry.h"
#include "analysis/observable.h"
#include "analysis/recorder.h"
#include "integrate/archive.h"
#include "integrate/event.h"
#include "model/suggestion.h"
#include "polhode/error.h"
#include "system/assembly.h"
#include "system/loop_conditions.h"

#include <chrono>
#include <cmath>
#include <limits>

#include <fmt/format.h>

namespace polhode {

namespace {

constexpr double warnedGap = 1e-4;  // of the longest way from a centre of mass to a joint

/// Some sum is not finite where the motion of a body is not.
bool isFinite(const Balance& now) {
  return std::isfinite(now.energy()) && std::isfinite(now.work) && now.linearMomentum.allFinite() &&
         now.angularMomentum.allFinite() && std::isfinite(now.positionViolation) &&
         std::isfinite(now.velocityViolation);
}

/// A motion that has left the range of numbers ends the run where it was last good.
SimulationError leftTheRange(const Observation& now) {
  const auto size = [](const Body& body) {
    return body.position.norm() + body.orientation.norm() + body.velocity.norm() + body.angularVelocity.norm();
  };
  const Body* culprit = nullptr;
  for (const Body& body : now.bodies)
    if (!std::isfinite(size(body))) culprit = culprit ? culprit : &body;
  if (!culprit)  // numbers whose squares are none
    for (const Body& body : now.bodies)
      if (!culprit || size(body) > size(*culprit)) culprit = &body;
  return {now.time,
          fmt::format("{} has left the range of numbers at t = {:.9g}: a force grows without bound, or the step "
                      "is too long for the motion; look at the forces on it, or take smaller steps",
                      culprit ? "body " + quoted(culprit->name) : "the system", now.time)};
}

double secondsSince(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

}  // namespace

RunResult run(Engine& engine, const RunOptions& options) {
  RunResult result;
  Stepper& stepper = engine.stepper();
  const Observation first = engine.observe(stepper.time(), stepper.state());
  DriftMonitor monitor(first, options.conserved, result);

  std::optional<EventLocator> event;
  if (!options.stopWhen.empty()) {
    const Condition condition = parseCondition(options.stopWhen, first);
    event.emplace(stepper, [&engine, condition](double t, const VectorX& y) {
      return condition.observable.value(engine.observe(t, y, condition.observable.detail)) - condition.value;
    });
  }

  RecordingSink memory(result.recording);
  std::vector<RowSink*> sinks;
  if (options.record) sinks.push_back(&memory);
  if (options.rows) sinks.push_back(options.rows);

  const auto start = std::chrono::steady_clock::now();
  double last = stepper.time();  // when the motion was seen last, and was good
  VectorX between = stepper.state();
  Recorder recorder(engine, options.outputEvery, options.end, sinks);
  double nextCheckpoint = options.checkpointEvery.value_or(std::numeric_limits<double>::infinity());
  const auto persist = [&](Archive& archive) {
    archive.section("polhode run 1");
    engine.persist(archive);
    monitor.persist(archive);
    recorder.persist(archive);
    if (event) event->persist(archive);
    archive(nextCheckpoint);
  };
  if (options.checkpointEvery) {
    Archive trial;
    persist(trial);  // throws now, not later, where something cannot be saved
  }
  if (options.resumeFrom) {
    Archive archive(options.resumeFrom->state);
    persist(archive);
    archive.requireEnd();
    last = stepper.time();
  }
  try {
    recorder.begin(first, options.resumeFrom != nullptr);
    while (stepper.time() < options.end && !result.stoppedByEvent && !result.interrupted) {
      stepper.step();
      const std::optional<double> crossing = event ? event->afterStep() : std::nullopt;
      const double t = crossing.value_or(stepper.time());
      if (crossing)
        stepper.interpolate(t, between);
      else
        engine.projectState();
      result.stoppedByEvent = crossing.has_value();
      const VectorX& y = crossing ? between : stepper.state();
      const Balance now = engine.balance(t, y);
      if (!isFinite(now)) throw leftTheRange(engine.observe(t, y, Detail::motion));
      monitor.see(now);
      last = t;
      recorder.afterStep(t, y);
      if (t >= nextCheckpoint && !result.stoppedByEvent && options.checkpoint) {
        while (t >= nextCheckpoint) nextCheckpoint += *options.checkpointEvery;
        Archive archive;
        persist(archive);
        options.checkpoint({t, recorder.rows(), archive.bytes()});
      }
      if (options.progress) options.progress(t);
      if (options.interrupted) result.interrupted = options.interrupted();
    }
  } catch (const SimulationError& error) {
    result.failure = error.what();
  }
  if (last == stepper.time())
    between = stepper.state();
  else
    stepper.interpolate(last, between);
  try {
    result.final = engine.observe(last, between);
  } catch (const SimulationError&) {
    result.final = engine.observe(last, between, Detail::motion);  // where the run failed forces may be unknown
  }
  try {
    recorder.finish(result.final, between);
  } catch (const SimulationError& error) {
    if (result.failure.empty()) result.failure = error.what();
  }
  result.warning = engine.warning();
  result.wallSeconds = secondsSince(start);
  result.work = stepper.work();
  monitor.finish();
  if (options.openJoints && !(result.positionViolation <= *options.openJoints))
    result.warning += fmt::format(
        "{}joints were open by up to {:.2g} m; give a smaller step or tolerance, or take 'director-em', which keeps "
        "them",
        result.warning.empty() ? "" : "; ", result.positionViolation);
  return result;
}

RunOptions runOptions(const Model& model, const SimulationSettings& settings) {
  RunOptions options;
  options.end = settings.end;
  options.outputEvery = settings.outputEvery;
  options.stopWhen = settings.stopWhen;
  options.conserved = conservationOf(model);
  const double reach = model.joints.empty() ? 0.0 : reachOf(Mechanism(model));
  if (reach > 0.0) options.openJoints = warnedGap * reach;
  return options;
}

RunResult simulate(const Model& model, const SimulationSettings& settings, bool record) {
  const Model sound = checked(model);
  RunOptions options = runOptions(sound, settings);
  options.record = record;
  return run(*makeEngine(sound, settings), options);
}

}  // namespace polhode
