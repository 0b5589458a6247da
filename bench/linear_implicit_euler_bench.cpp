#include "../tests/support/mechanisms.h"
#include "control/receding_horizon.h"
#include "control/steered_mechanism.h"

#include <cmath>

#include <benchmark/benchmark.h>

/// A ladder of rods on ball joints that a hand leads: what a step in real time costs. At h = 1e-3 a quarter of a
/// core is 250 microseconds a step.
namespace {

using namespace polhode;

void steerLadder(benchmark::State& state) {
  const Mechanism mechanism(test::ladder(static_cast<int>(state.range(0))));
  SteeredMechanism steered(mechanism, 1e-3);
  const Vector3 start = mechanism.bodies().back().placement.x;
  const auto hand =
      std::make_unique<Hand>(Held{.body = static_cast<int>(mechanism.bodies().size()) - 1}, LiveSource{}, [] {
        return HandLaws{std::make_unique<RecedingHorizonLaw<Translation>>(RecedingHorizonSettings{}), nullptr};
      });
  hand->observe({0.0, start});
  for (auto _ : state) {
    const double t = steered.stepper().time() + 1e-3;
    hand->observe({t, start + Vector3(0.3 * std::sin(2.0 * t), 0.0, 0.1 * (1.0 - std::cos(t)))});
    steered.advance({&hand, 1});
  }
  state.counters["bodies"] = static_cast<double>(mechanism.bodies().size());
}
BENCHMARK(steerLadder)->Arg(3)->Arg(10)->Arg(33)->Unit(benchmark::kMicrosecond);

}  // namespace
