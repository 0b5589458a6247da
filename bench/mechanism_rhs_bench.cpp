// One evaluation of the null-space right-hand side of chains, beside MuJoCo's mj_forward where that is installed. The
// counter `ratio` is our time over MuJoCo's in the same run: at most 1 is wanted for ball joints, at most 2 for hinges.
#include "../tests/support/mechanisms.h"
#include "mujoco_chain.h"
#include "system/null_space_mechanism.h"

#include <chrono>
#include <string>

#include <benchmark/benchmark.h>

namespace {

using namespace polhode;

VectorX movingState(const NullSpaceMechanism& system) {
  VectorX y = system.stateOf(initialMotion(system.mechanism()));
  y.tail(system.rates()).setConstant(0.1);
  return y;
}

#ifdef POLHODE_HAVE_MUJOCO
/// The least time of one call out of many, in seconds.
template <class Call>
double leastTime(const Call& call) {
  using Clock = std::chrono::steady_clock;
  double least = 1e9;
  const auto start = Clock::now();
  for (int tries = 0; tries < 5 || Clock::now() - start < std::chrono::milliseconds(200); ++tries) {
    const auto before = Clock::now();
    int calls = 0;
    do {
      call();
      ++calls;
    } while (Clock::now() - before < std::chrono::microseconds(300));
    least = std::min(least, std::chrono::duration<double>(Clock::now() - before).count() / calls);
    if (tries >= 5 && Clock::now() - start > std::chrono::seconds(2)) break;
  }
  return least;
}
#endif

void rightHandSide(benchmark::State& run, const std::string& joint) {
  const int rods = static_cast<int>(run.range(0));
  const auto system =
      makeNullSpaceMechanism(std::make_shared<const Mechanism>(test::rodChain(rods, joint)), "quaternion");
  const VectorX y = movingState(*system);
  VectorX dydt(system->size());
  for (auto _ : run) {
    system->derivative(0.0, y, dydt);
    benchmark::DoNotOptimize(dydt.data());
  }
  run.counters["per_body"] = benchmark::Counter(
      static_cast<double>(rods), benchmark::Counter::kIsIterationInvariantRate | benchmark::Counter::kInvert);
#ifdef POLHODE_HAVE_MUJOCO
  if (rods > 256) return;  // mj_forward takes seconds there
  bench::MujocoChain peer(rods, joint == "spherical");
  const double ours = leastTime([&] { system->derivative(0.0, y, dydt); });
  run.counters["ratio"] = ours / leastTime([&] { peer.forward(); });
#endif
}

BENCHMARK_CAPTURE(rightHandSide, ball, "spherical")->RangeMultiplier(4)->Range(1, 8192)->Arg(8)->Arg(512);
BENCHMARK_CAPTURE(rightHandSide, hinge, "revolute")->RangeMultiplier(4)->Range(1, 8192)->Arg(8)->Arg(512);

}  // namespace
