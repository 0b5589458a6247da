// Mechanisms with many loops: time a step of the conserving engine over their number. All ought to be O(N).
#include "../tests/support/mechanisms.h"
#include "integrate/mechanism/director_engine.h"

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

}  // namespace
