#include "polhode/control/receding_horizon.h"
#include "polhode/control/steered_mechanism.h"

#include <cmath>

#include <benchmark/benchmark.h>
#include <fmt/format.h>

/// A ladder of rods with revolute joints that a hand leads: what a step in real time costs. At h = 1e-3 a quarter of a
/// core is 250 microseconds a step.
namespace {

using namespace polhode;

/// Bodies in two rows, each row a chain from the ground, with rungs that close a loop each.
Model ladder(int bodies) {
  Model model;
  model.gravity = Vector3(0.0, 0.0, -9.81);
  const auto add = [&](const std::string& name, const Vector3& centre, bool rung) {
    Body body;
    body.name = name;
    body.mass = 0.1;
    body.inertia = (rung ? Vector3(1e-6, 8e-5, 8e-5) : Vector3(8e-5, 8e-5, 1e-6)).asDiagonal();
    body.position = centre;
    model.bodies.push_back(body);
  };
  const auto join = [&](const std::string& first, const std::string& second, const Vector3& point) {
    Joint joint;
    joint.name = first + "-" + second;
    joint.type = "spherical";
    joint.first = first;
    joint.second = second;
    joint.point = point;
    model.joints.push_back(joint);
  };
  for (int i = 0; 3 * (i + 1) <= bodies; ++i) {
    const double top = -0.1 * i, bottom = top - 0.1;
    for (const auto& [side, x] : {std::pair{"left", 0.0}, std::pair{"right", 0.1}}) {
      add(fmt::format("{}{}", side, i), {x, 0.0, top - 0.05}, false);
      join(i == 0 ? "ground" : fmt::format("{}{}", side, i - 1), fmt::format("{}{}", side, i), {x, 0.0, top});
    }
    add(fmt::format("rung{}", i), {0.05, 0.0, bottom}, true);
    join(fmt::format("left{}", i), fmt::format("rung{}", i), {0.0, 0.0, bottom});
    join(fmt::format("rung{}", i), fmt::format("right{}", i), {0.1, 0.0, bottom});
  }
  return model;
}

void steerLadder(benchmark::State& state) {
  const Mechanism mechanism(ladder(static_cast<int>(state.range(0))));
  SteeredMechanism steered(mechanism, 1e-3);
  RecedingHorizonLaw<Translation> law({});
  const Vector3 start = mechanism.bodies().back().placement.x;
  const Grip grip{static_cast<int>(mechanism.bodies().size()) - 1, Vector3::Zero(), &law, nullptr};
  Wrench force;
  law.observe({0.0, start});
  for (auto _ : state) {
    const double t = steered.stepper().time() + 1e-3;
    law.observe({t, start + Vector3(0.3 * std::sin(2.0 * t), 0.0, 0.1 * (1.0 - std::cos(t)))});
    steered.advance({&grip, 1}, {&force, 1});
  }
  state.counters["bodies"] = static_cast<double>(mechanism.bodies().size());
}
BENCHMARK(steerLadder)->Arg(9)->Arg(30)->Arg(99)->Unit(benchmark::kMicrosecond);

}  // namespace
