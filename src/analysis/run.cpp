#include "polhode/analysis/run.h"

#include "polhode/analysis/drift_monitor.h"
#include "polhode/analysis/engine_registry.h"
#include "polhode/analysis/observable.h"
#include "polhode/analysis/recorder.h"
#include "polhode/error.h"
#include "polhode/integrate/archive.h"
#include "polhode/integrate/event.h"
#include "polhode/model/suggestion.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>

#include <fmt/format.h>

namespace polhode {

namespace {

bool allFinite(const std::vector<double>& numbers) {
  return std::all_of(numbers.begin(), numbers.end(), [](double number) { return std::isfinite(number); });
}

/// A motion that has left the range of numbers ends the run where it was last good. Throws SimulationError.
void requireFinite(const Observation& now) {
  const auto size = [](const Body& body) {
    return body.position.norm() + body.orientation.norm() + body.velocity.norm() + body.angularVelocity.norm();
  };
  const Body* culprit = nullptr;
  for (const Body& body : now.bodies)
    if (!std::isfinite(size(body))) culprit = culprit ? culprit : &body;
  const bool counts = std::isfinite(now.energy()) && std::isfinite(now.work) && now.linearMomentum.allFinite() &&
                      now.angularMomentum.allFinite() && std::isfinite(now.positionViolation) &&
                      std::isfinite(now.velocityViolation) && allFinite(now.q) && allFinite(now.v);
  if (!culprit && counts) return;
  if (!culprit)  // numbers whose squares are none
    for (const Body& body : now.bodies)
      if (!culprit || size(body) > size(*culprit)) culprit = &body;
  throw SimulationError(
      now.time, fmt::format("{} has left the range of numbers at t = {:.9g}: a force grows without bound, or the "
                            "step is too long for the motion; look at the forces on it, or take smaller steps",
                            culprit ? "body " + quoted(culprit->name) : "the system", now.time));
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
  VectorX y = stepper.state(), told = y;  // that of result.final
  // Forces are asked for only where a row tells them.
  const Detail detail = !sinks.empty() && !options.outputEvery ? Detail::forces : Detail::motion;
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
  const auto restore = [&] {
    Archive archive(options.resumeFrom->state);
    persist(archive);
    archive.requireEnd();
  };
  if (options.resumeFrom) {
    restore();
    told = y = stepper.state();
    result.final = engine.observe(stepper.time(), y);
    restore();  // what looking at it has changed, such as turns that are counted
  }
  try {
    recorder.begin(first, options.resumeFrom != nullptr);
    while (stepper.time() < options.end && !result.stoppedByEvent && !result.interrupted) {
      stepper.step();
      double t = stepper.time();
      const std::optional<double> crossing = event ? event->afterStep() : std::nullopt;
      if (crossing) {
        t = *crossing;
        stepper.interpolate(t, y);
        result.stoppedByEvent = true;
      } else {
        engine.projectState();
        y = stepper.state();
      }
      const Observation now = engine.observe(t, y, detail);
      requireFinite(now);
      monitor.see(now);
      told = y;
      recorder.afterStep(now, y);
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
  try {
    result.final = engine.observe(result.final.time, told);
  } catch (const SimulationError&) {
    // where the run failed the last good state is told as it was seen
  }
  try {
    recorder.finish(result.final, told);
  } catch (const SimulationError& error) {
    if (result.failure.empty()) result.failure = error.what();
  }
  result.warning = engine.warning();
  result.wallSeconds = secondsSince(start);
  result.work = stepper.work();
  monitor.finish();
  return result;
}

RunOptions runOptions(const Model& model, const SimulationSettings& settings) {
  RunOptions options;
  options.end = settings.end;
  options.outputEvery = settings.outputEvery;
  options.stopWhen = settings.stopWhen;
  options.conserved = conservationOf(model);
  return options;
}

RunResult simulate(const Model& model, const SimulationSettings& settings, bool record) {
  RunOptions options = runOptions(model, settings);
  options.record = record;
  return run(*makeEngine(model, settings), options);
}

}  // namespace polhode
