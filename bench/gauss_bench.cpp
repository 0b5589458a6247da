#include "integrate/catalogue.h"
#include "system/single_body.h"

#include <cmath>
#include <numbers>

#include <benchmark/benchmark.h>

/// Time to accuracy of one body: a whole second of the heavy top in steady precession (Betsch & Siebert 2009, 5.2) by Gauss
/// collocation and by DOP853, each inlined and each so fine that the error of its axis at the end is about 1e-6, 1e-9 or
/// 1e-12. What counts is the ratio of two times for one error within one run; the error is told beside them.
namespace {

using namespace polhode;

constexpr double tilt = std::numbers::pi / 3.0, precession = 10.0, end = 1.0;

struct Top {
  std::unique_ptr<SingleBodySystem> body;
  VectorX start;

  explicit Top(const char* coordinates) {
    constexpr double height = 0.1, radius = 0.05, gravity = 9.81, arm = 0.75 * height;
    RigidBodyData data;
    data.mass = 2700.0 * std::numbers::pi * radius * radius * height / 3.0;
    const double across = data.mass * (3.0 / 80.0 * (4.0 * radius * radius + height * height) + arm * arm);
    const double along = 0.3 * data.mass * radius * radius;
    data.inertia = Vector3(across, across, along);
    data.centre = Vector3(0.0, 0.0, arm);
    body = makeSingleBody(coordinates, "null-space", data, UniformGravity(data, Vector3(0.0, 0.0, -gravity)), nullptr);
    const double spin =
        data.mass * gravity * arm / (along * precession) + (across - along) / along * precession * std::cos(tilt);
    BodyMotion motion;
    motion.orientation = Quaternion(std::cos(0.5 * tilt), std::sin(0.5 * tilt), 0.0, 0.0);
    motion.angularVelocity = Vector3(0.0, precession * std::sin(tilt), precession * std::cos(tilt) + spin);
    start = body->stateOf(motion);
  }
  double error(const VectorX& y) const {
    const Vector3 axis = body->motionOf(y).directors.col(2);
    return (axis - Vector3(std::sin(tilt) * std::sin(precession * end), -std::sin(tilt) * std::cos(precession * end),
                           std::cos(tilt)))
        .norm();
  }
};

void run(benchmark::State& state, const char* integrator, const char* coordinates, double stepsOrTolerance) {
  const Top top(coordinates);
  IntegratorOptions options;
  if (stepsOrTolerance > 1.0)
    options.fixedStep = end / stepsOrTolerance;
  else
    options.relativeTolerance = options.absoluteTolerance = stepsOrTolerance;
  double error = 0.0, evaluations = 0.0;
  for (auto _ : state) {
    const auto stepper = findIntegrator(integrator).makeInlined(*top.body, top.start, end, options);
    while (stepper->time() < end) stepper->step();
    error = top.error(stepper->state());
    evaluations = static_cast<double>(stepper->work().rhsEvaluations);
  }
  state.counters["error"] = error;
  state.counters["evaluations"] = evaluations;
}

BENCHMARK_CAPTURE(run, case0, "dop853", "quaternion", 2e-8)->Name("top/1e-6/dop853");
BENCHMARK_CAPTURE(run, case1, "gauss-12", "quaternion", 60)->Name("top/1e-6/gauss-12");
BENCHMARK_CAPTURE(run, case2, "dop853", "quaternion", 2e-11)->Name("top/1e-9/dop853");
BENCHMARK_CAPTURE(run, case3, "gauss-16", "quaternion", 52)->Name("top/1e-9/gauss-16");
BENCHMARK_CAPTURE(run, case4, "dop853", "quaternion", 3e-14)->Name("top/1e-12/dop853");
BENCHMARK_CAPTURE(run, case5, "gauss-16", "quaternion", 72)->Name("top/1e-12/gauss-16");
BENCHMARK_CAPTURE(run, case6, "gauss-16", "director", 75)->Name("top/1e-12/gauss-16/director");

}  // namespace
