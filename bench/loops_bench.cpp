// Mechanisms with many loops: time a step of the conserving engine over their number. All ought to be O(N).
#include "../tests/support/mechanisms.h"
#include "integrate/mechanism/director_engine.h"
#include "polhode/io/load_model.h"

#include <ctime>

#include <benchmark/benchmark.h>

namespace {

using namespace polhode;

void steps(benchmark::State& state, Model (*make)(int)) {
  const Mechanism mechanism(make(static_cast<int>(state.range(0))));
  DirectorEngine engine(mechanism);
  MechanismState motion = engine.start();
  for (auto _ : state)
    if (!engine.step(motion, 1e-3).converged) state.SkipWithError("no convergence");
  state.SetComplexityN(state.range(0));
}

void ringsInARow(benchmark::State& state) {
  steps(state, test::rings);
}
BENCHMARK(ringsInARow)->RangeMultiplier(4)->Range(32, 2048)->Complexity(benchmark::oN);

void fourBarsSideBySide(benchmark::State& state) {
  steps(state, test::manyFourBars);
}
BENCHMARK(fourBarsSideBySide)->RangeMultiplier(4)->Range(16, 256)->Complexity(benchmark::oN);

void ladder(benchmark::State& state) {
  steps(state, test::ladder);
}
BENCHMARK(ladder)->RangeMultiplier(4)->Range(16, 1024)->Complexity(benchmark::oN);

/// One mechanism: nanoseconds of the processor a body and step, how many times a body of the ball chain costs (which runs first), and the
/// iterations and factorisations of a step.
void besideTheBallChain(benchmark::State& state, const Model& model) {
  static double ofBallChain = 0.0;
  const Mechanism mechanism(model);
  DirectorEngine engine(mechanism);
  MechanismState motion = engine.start();
  for (int i = 0; i < 20; ++i) engine.step(motion, 1e-3);
  double iterations = 0.0, factorisations = 0.0;
  const std::clock_t start = std::clock();
  for (auto _ : state) {
    const StepReport report = engine.step(motion, 1e-3);
    if (!report.converged) return state.SkipWithError("no convergence");
    iterations += report.iterations;
    factorisations += report.factorisations;
  }
  const double time = 1e9 * static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
  const auto steps = static_cast<double>(state.iterations());
  const double ofBody = time / steps / static_cast<double>(mechanism.bodies().size());
  if (mechanism.topology().cutJoints.empty()) ofBallChain = ofBody;
  state.counters["ns_a_body"] = ofBody;
  state.counters["iterations"] = iterations / steps;
  state.counters["factorisations"] = factorisations / steps;
  if (ofBallChain > 0.0) state.counters["of_ball_chain"] = ofBody / ofBallChain;
}

// Its first 20 s: it becomes wilder and wilder, and what is faster would come to where steps are harder.
BENCHMARK_CAPTURE(besideTheBallChain, ballChain128, test::ballChain(128))->Iterations(20000);
BENCHMARK_CAPTURE(besideTheBallChain, fourBars40, loadModel("four-bars-40").model);
BENCHMARK_CAPTURE(besideTheBallChain, jansenWalker, loadModel("jansen-walker").model);
BENCHMARK_CAPTURE(besideTheBallChain, ropeBridge, loadModel("rope-bridge").model);
BENCHMARK_CAPTURE(besideTheBallChain, ladder256, test::ladder(256));

}  // namespace
