// Many members of one structure: steps side by side in lanes, for each width, beside director-em's own steps one member after
// the other, and beside whole runs as `run` does them, watched; and whole sweeps, by one thread and by two.
#include "../tests/support/mechanisms.h"
#include "analysis/engine_registry.h"
#include "ensemble/sweep_run.h"
#include "integrate/mechanism/director_engine.h"
#include "integrate/mechanism/lane_trees.h"
#include "io/examples.h"
#include "polhode/analysis/run.h"
#include "polhode/io/model_file.h"

#include <benchmark/benchmark.h>

namespace {

using namespace polhode;

constexpr int ensembleSteps = 200, ensembleMembers = 8;
constexpr double ensembleStep = 1e-3;

Model ensembleModel(int kind) {
  switch (kind) {
    case 0:
      return readModelText(findExample("heavy-top")->text, "heavy-top.toml").model;
    case 1:
      return test::rodChain(8, "spherical");
    case 2:
      return test::rodChain(8, "revolute");
    default:
      return test::spatialDoublePendulum();
  }
}

constexpr const char* ensembleNames[] = {"heavy top", "8 balls", "8 hinges", "double pendulum"};

std::vector<std::shared_ptr<const Mechanism>> ensembleOf(int kind) {
  std::vector<std::shared_ptr<const Mechanism>> members;
  for (int i = 0; i < ensembleMembers; ++i) {
    Model model = ensembleModel(kind);
    for (Body& body : model.bodies) body.mass *= 1.0 + 0.01 * i;
    members.push_back(std::make_shared<const Mechanism>(model));
  }
  return members;
}

void perMember(benchmark::State& state) {
  state.SetLabel(ensembleNames[state.range(0)]);
  state.counters["a member and step"] =
      benchmark::Counter(ensembleSteps * ensembleMembers * static_cast<double>(state.iterations()),
                         benchmark::Counter::kIsRate | benchmark::Counter::kInvert);
}

void ensembleInLanes(benchmark::State& state) {
  const auto members = ensembleOf(static_cast<int>(state.range(0)));
  const int width = static_cast<int>(state.range(1));
  for (auto _ : state)
    for (int first = 0; first < ensembleMembers; first += width) {
      state.PauseTiming();
      const auto lanes =
          LaneTrees::make({members.begin() + first, members.begin() + first + width}, ensembleStep, width);
      state.ResumeTiming();
      for (int i = 0; i < ensembleSteps; ++i) lanes->step();
    }
  perMember(state);
}
BENCHMARK(ensembleInLanes)->Name("ensemble/lanes")->ArgsProduct({{0, 1, 2, 3}, {1, 2, 4, 8}});

void ensembleAlone(benchmark::State& state) {
  const auto members = ensembleOf(static_cast<int>(state.range(0)));
  for (auto _ : state)
    for (const auto& member : members) {
      state.PauseTiming();
      DirectorEngine engine(*member);
      MechanismState now = engine.start();
      state.ResumeTiming();
      for (int i = 0; i < ensembleSteps; ++i) engine.step(now, ensembleStep);
      benchmark::DoNotOptimize(now.bodies.data());
    }
  perMember(state);
}
BENCHMARK(ensembleAlone)->Name("ensemble/alone")->DenseRange(0, 3);

void ensembleByRun(benchmark::State& state) {
  const Model model = ensembleModel(static_cast<int>(state.range(0)));
  SimulationSettings settings;
  settings.integrator = "director-em";
  settings.step = ensembleStep;
  settings.end = ensembleSteps * ensembleStep;
  for (auto _ : state)
    for (int i = 0; i < ensembleMembers; ++i) {
      state.PauseTiming();
      const auto engine = makeEngine(model, settings, Loads::wanted);
      state.ResumeTiming();
      if (!run(*engine, runOptions(model, settings)).failure.empty()) state.SkipWithError("the run failed");
    }
  perMember(state);
}
BENCHMARK(ensembleByRun)->Name("ensemble/run")->DenseRange(0, 3);

/// With the reading of models and the measures: rows of the members, without their file.
void ensembleSweep(benchmark::State& state, const std::vector<std::string>& measures) {
  ensemble::SweepPlan plan;
  plan.source = "ball-chain.toml";
  plan.command = "ball-chain";
  plan.text = findExample("ball-chain")->text;
  plan.vary.push_back(ensemble::parseVary("body.rod1.mass=0.5:2"));
  plan.samples = 256;
  plan.sampling = ensemble::SamplingKind::sobol;
  plan.measures = measures;
  plan.overrides = {"simulation.step=0.001", "simulation.end=1"};
  const ensemble::Sweep sweep(plan);
  std::int64_t taken = 0;
  for (auto _ : state)
    ensemble::runSweep(sweep, 0, static_cast<unsigned>(state.range(0)),
                       {[&](ensemble::MemberRow&&) { ++taken; }, [] {}, [] { return false; }});
  state.counters["a member"] =
      benchmark::Counter(static_cast<double>(taken), benchmark::Counter::kIsRate | benchmark::Counter::kInvert);
}
BENCHMARK_CAPTURE(ensembleSweep, end, {"rod8.position.z"})
    ->Name("ensemble/sweep/end/threads")
    ->Arg(1)
    ->Arg(2)
    ->UseRealTime()
    ->MeasureProcessCPUTime();
BENCHMARK_CAPTURE(ensembleSweep, along, {"rod8.position.z:max", "energy:drift"})
    ->Name("ensemble/sweep/along/threads")
    ->Arg(1)
    ->Arg(2)
    ->UseRealTime()
    ->MeasureProcessCPUTime();

}  // namespace
