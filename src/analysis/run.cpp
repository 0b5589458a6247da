#include "polhode/analysis/run.h"

#include "analysis/drift_monitor.h"
#include "analysis/engine_registry.h"
#include "analysis/observable.h"
#include "analysis/recorder.h"
#include "analysis/step_watch.h"
#include "integrate/archive.h"
#include "integrate/event.h"
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
  StepWatch watch(engine, monitor);
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
    watch.begin();
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
      watch.afterStep(t, y);
      const bool checkpointIsDue = t >= nextCheckpoint && !result.stoppedByEvent && options.checkpoint;
      if (checkpointIsDue || recorder.isDue(t)) watch.look();  // nothing is written of a motion that is not good
      recorder.afterStep(t, y);
      if (checkpointIsDue) {
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
    watch.look();
  } catch (const SimulationError& error) {
    result.failure = error.what();
  }
  const double last = watch.lastTime();
  watch.lastState(between);
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
