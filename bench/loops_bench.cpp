// Mechanisms with many loops: time a step of the conserving engine over their number. Both ought to be O(N).
#include "polhode/integrate/mechanism/director_engine.h"

#include <benchmark/benchmark.h>
#include <fmt/format.h>

namespace {

using namespace polhode;

Body bar(const std::string& name, const Vector3& from, const Vector3& to) {
  Body body;
  body.name = name;
  body.mass = 1.0;
  body.inertia = Matrix3::Identity() / 12.0;
  body.position = 0.5 * (from + to);
  return body;
}

Joint joint(const std::string& type, const std::string& first, const std::string& second, const Vector3& point) {
  Joint made;
  made.name = first + "-" + second;
  made.type = type;
  made.first = first;
  made.second = second;
  made.point = point;
  made.axis = Vector3::UnitZ();
  return made;
}

/// Rings of four bars in ball joints, each hung on the one before.
Model rings(int count) {
  Model model;
  model.gravity = Vector3(0.0, 0.0, -9.81);
  std::string last = "ground";
  for (int i = 0; i < count; ++i) {
    const double x = 1.5 * i;
    const Vector3 corners[] = {{x, 0, 0}, {x + 0.75, 0.5, 0}, {x + 1.5, 0, 0}, {x + 0.75, -0.5, 0}};
    const auto name = [&](int k) { return fmt::format("bar{}.{}", i, k % 4); };
    for (int k = 0; k < 4; ++k) model.bodies.push_back(bar(name(k), corners[k], corners[(k + 1) % 4]));
    for (int k = 0; k < 4; ++k) model.joints.push_back(joint("spherical", name(k), name(k + 1), corners[(k + 1) % 4]));
    model.joints.push_back(joint("spherical", last, name(0), corners[0]));
    last = name(2);
  }
  return model;
}

/// Cranks side by side with couplers between them (IFToMM A02): each loop shares a crank with the next one and has three
/// rows too many.
Model fourBars(int count) {
  Model model;
  model.gravity = Vector3(0.0, -9.81, 0.0);
  const auto crank = [](int i) { return fmt::format("crank{}", i); };
  for (int i = 0; i <= count; ++i) {
    const Vector3 foot(i, 0, 0), head(i, 1, 0);
    Body body = bar(crank(i), foot, head);
    body.angularVelocity = Vector3(0, 0, -1);
    body.velocity = Vector3(0.5, 0, 0);
    model.bodies.push_back(body);
    model.joints.push_back(joint("revolute", "ground", body.name, foot));
  }
  for (int i = 0; i < count; ++i) {
    const Vector3 from(i, 1, 0), to(i + 1, 1, 0);
    Body coupler = bar(fmt::format("coupler{}", i), from, to);
    coupler.velocity = Vector3(1, 0, 0);
    model.bodies.push_back(coupler);
    model.joints.push_back(joint("revolute", crank(i), coupler.name, from));
    model.joints.push_back(joint("revolute", coupler.name, crank(i + 1), to));
  }
  return model;
}

void steps(benchmark::State& state, Model (*make)(int)) {
  const Mechanism mechanism(make(static_cast<int>(state.range(0))));
  DirectorEngine engine(mechanism);
  MechanismState motion = engine.start();
  for (auto _ : state)
    if (!engine.step(motion, 1e-3).converged) state.SkipWithError("no convergence");
  state.SetComplexityN(state.range(0));
}

void ringsInARow(benchmark::State& state) {
  steps(state, rings);
}
BENCHMARK(ringsInARow)->RangeMultiplier(4)->Range(32, 2048)->Complexity(benchmark::oN);

void fourBarsSideBySide(benchmark::State& state) {
  steps(state, fourBars);
}
BENCHMARK(fourBarsSideBySide)->RangeMultiplier(4)->Range(16, 256)->Complexity(benchmark::oN);

}  // namespace
