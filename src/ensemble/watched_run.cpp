#include "ensemble/watched_run.h"

#include "analysis/engine_registry.h"

namespace polhode::ensemble {

namespace {

constexpr int pointsWithin = 4;  // of a step that the integrator has chosen

}  // namespace

WatchedRun watchedRun(const Member& member, const MeasureSet& measures, RunOptions options, MeasureWatch::Keeps keeps) {
  const std::unique_ptr<Engine> engine = makeEngine(member.model, member.settings);
  const Stepper& stepper = engine->stepper();
  const Detail detail = measures.detail();
  MeasureWatch watch(measures, engine->observe(stepper.time(), stepper.state(), detail), keeps);
  const MeasureWatch::Within within = [&](double t) { return observeWithin(*engine, t, detail); };
  const auto see = [&](double end) {
    const double begin = stepper.previousTime(), length = stepper.time() - begin;
    const std::optional<double> asked = member.settings.step;
    if (engine->capabilities().denseOutput && !(asked && length <= *asked * (1.0 + 1e-9)))
      for (int k = 1; k <= pointsWithin; ++k)
        if (const double t = begin + length * k / (pointsWithin + 1.0); t < end) watch.see(within(t), within);
    watch.see(within(end), within);
  };
  if (measures.watchesSteps() || keeps == MeasureWatch::Keeps::instants) options.progress = see;
  RunResult result = run(*engine, options);
  return {std::move(result), std::move(watch)};
}

}  // namespace polhode::ensemble
