// What it costs to watch a run: the steps of a chain of ball joints bare, the same through `run` with energy, momenta and
// gaps seen after every step, and a heavy top by dop853 through `run` (dopri5_bench has its bare steps).
#include "../tests/support/mechanisms.h"
#include "analysis/engine_registry.h"
#include "integrate/mechanism/director_engine.h"
#include "io/examples.h"
#include "polhode/analysis/run.h"
#include "polhode/io/model_file.h"

#include <benchmark/benchmark.h>

namespace {

using namespace polhode;

constexpr int steps = 200;
constexpr double length = 1e-3;

void perStep(benchmark::State& state, double count) {
  state.counters["a step"] = benchmark::Counter(count * static_cast<double>(state.iterations()),
                                                benchmark::Counter::kIsRate | benchmark::Counter::kInvert);
}

void bareChain(benchmark::State& state) {
  const Mechanism mechanism(test::rodChain(static_cast<int>(state.range(0)), "spherical"));
  for (auto _ : state) {
    state.PauseTiming();
    DirectorEngine engine(mechanism);
    MechanismState now = engine.start();
    state.ResumeTiming();
    for (int i = 0; i < steps; ++i)
      if (!engine.step(now, length, 0).converged) state.SkipWithError("a step did not converge");
    benchmark::DoNotOptimize(now.bodies.data());
  }
  perStep(state, steps);
}
BENCHMARK(bareChain)->Name("chain/bare")->Arg(512)->Unit(benchmark::kMillisecond);

void watchedChain(benchmark::State& state) {
  const Model model = test::rodChain(static_cast<int>(state.range(0)), "spherical");
  SimulationSettings settings;
  settings.integrator = "director-em";
  settings.step = length;
  settings.end = steps * length;
  for (auto _ : state) {
    state.PauseTiming();
    const auto engine = makeEngine(model, settings);
    state.ResumeTiming();
    if (!run(*engine, runOptions(model, settings)).failure.empty()) state.SkipWithError("the run failed");
  }
  perStep(state, steps);
}
BENCHMARK(watchedChain)->Name("chain/watched")->Arg(512)->Unit(benchmark::kMillisecond);

void watchedTop(benchmark::State& state, const char* integrator) {
  ModelFile file = readModelText(findExample("heavy-top")->text, "heavy-top.toml");
  file.simulation.integrator = integrator;
  file.simulation.tolerance = 1e-9;
  file.simulation.step.reset();
  file.simulation.end = 20.0;
  double count = 0.0;
  for (auto _ : state) count = static_cast<double>(simulate(file.model, file.simulation).work.steps);
  perStep(state, count);
}
BENCHMARK_CAPTURE(watchedTop, dopri5, "dopri5")->Name("top/dopri5/watched")->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(watchedTop, dop853, "dop853")->Name("top/dop853/watched")->Unit(benchmark::kMillisecond);

}  // namespace
