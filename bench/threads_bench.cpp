// More threads for one mechanism: what a step of a large one takes with one and with two, in turns in one run. Real time, so that it
// says something only where nothing else works; `longest_way` is the part of the bodies that no number of threads shares.
#include "integrate/mechanism/director_engine.h"
#include "integrate/mechanism/tree_parts.h"
#include "polhode/model/model.h"

#include <chrono>

#include <benchmark/benchmark.h>
#include <fmt/format.h>

namespace {

using namespace polhode;

/// Rods of which each carries two.
Model branchedTree(int count, const char* joint) {
  Model model;
  model.gravity = Vector3(0.0, 0.0, -9.81);
  for (int i = 0; i < count; ++i) {
    const int parent = i == 0 ? -1 : (i - 1) / 2;
    const Vector3 from = parent < 0
                             ? Vector3(Vector3::Zero())
                             : Vector3(model.bodies[static_cast<std::size_t>(parent)].position + Vector3(0.5, 0, 0));
    Body rod;
    rod.name = fmt::format("rod{}", i);
    rod.inertia = Vector3(0.00125, 0.084, 0.084).asDiagonal();
    rod.position = from + Vector3(0.5, 0.0, 0.0);
    Joint hold;
    hold.name = fmt::format("joint{}", i);
    hold.type = joint;
    hold.first = parent < 0 ? "ground" : fmt::format("rod{}", parent);
    hold.second = rod.name;
    hold.point = from;
    hold.axis = Vector3(0.1 * (i % 13 - 6), 1.0, 0.0);
    model.bodies.push_back(rod);
    model.joints.push_back(hold);
  }
  return model;
}

/// The time of a step with so many threads, relative to one.
void sharedSteps(benchmark::State& state, const char* joint) {
  const Mechanism mechanism(branchedTree(static_cast<int>(state.range(0)), joint));
  DirectorEngine alone(mechanism), shared(mechanism);
  shared.workWith(static_cast<int>(state.range(1)));
  MechanismState one = alone.start(), same = shared.start();
  const auto seconds = [&](DirectorEngine& engine, MechanismState& motion) {
    const auto start = std::chrono::steady_clock::now();
    for (int i = 0; i < 10; ++i)
      if (!engine.step(motion, 1e-3).converged) state.SkipWithError("no convergence");
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  };
  double withOne = 0.0, withMore = 0.0;
  for (auto _ : state) {
    withOne += seconds(alone, one);
    const double time = seconds(shared, same);
    withMore += time;
    state.SetIterationTime(time / 10.0);
  }
  const auto bodies = static_cast<double>(mechanism.bodies().size());
  state.counters["threads"] = shared.threads();
  state.counters["of_one_thread"] = withMore / withOne;
  state.counters["ns_a_body"] = 1e8 * withMore / static_cast<double>(state.iterations()) / bodies;
  state.counters["longest_way"] = static_cast<double>(TreePieces::of(parentNodes(mechanism)).longestWay()) / bodies;
}
BENCHMARK_CAPTURE(sharedSteps, ofBalls, "spherical")
    ->ArgsProduct({{1023, 1100, 4095, 16383}, {2}})
    ->Iterations(20)
    ->UseManualTime();
BENCHMARK_CAPTURE(sharedSteps, ofHinges, "revolute")->ArgsProduct({{1100, 4095}, {2}})->Iterations(20)->UseManualTime();

}  // namespace
