#include "integrate/dop853.h"
#include "integrate/dopri5.h"
#include "system/null_space_body.h"

#include <array>
#include <boost/numeric/odeint.hpp>
#include <cmath>

#include <benchmark/benchmark.h>

/// One step of DOPRI5 for a single body in quaternion null-space coordinates (Lang's example A), error estimate and
/// step-size control included, beside Boost.odeint's controlled dopri5 on the same right-hand side at the same
/// tolerance. What counts is the ratio of the two times within one run.
namespace {

using namespace polhode;
using Body = NullSpaceBody<QuaternionCoordinates>;

constexpr double tolerance = 1e-9;

Body gyroTop() {
  RigidBodyData data;
  data.mass = 11.09;
  data.inertia = Vector3(50.0, 42.0, 10.0);
  data.centre = Vector3(0.0, 0.0, 1.0);
  return Body(data, UniformGravity(data, Vector3(0.0, 0.0, -9.81)));
}

Body::State start() {
  Body::State y;
  y << std::sqrt(3.0) / 2.0, 0.5, 0.0, 0.0, 0.0, 0.0, 20.0;
  return y;
}

IntegratorOptions options() {
  IntegratorOptions o;
  o.relativeTolerance = o.absoluteTolerance = tolerance;
  return o;
}

template <template <class> class Method>
void polhodeStep(benchmark::State& state) {
  const Body body = gyroTop();
  Method<Body> method(body, 0.0, start(), 1e9, options());
  for (auto _ : state) {
    method.step();
    benchmark::DoNotOptimize(method.state().data());
  }
  state.counters["evaluations/step"] =
      static_cast<double>(method.work().rhsEvaluations) / static_cast<double>(method.work().steps);
}
BENCHMARK(polhodeStep<Dopri5>)->Name("dopri5/polhode");
BENCHMARK(polhodeStep<Dop853>)->Name("dop853/polhode");

void odeintStep(benchmark::State& state) {
  namespace odeint = boost::numeric::odeint;
  using State = std::array<double, Body::Size>;
  const Body body = gyroTop();
  const auto rightHandSide = [&body](const State& y, State& dydt, double t) {
    Body::State f;
    body.derivative(t, Eigen::Map<const Body::State>(y.data()), f);
    Eigen::Map<Body::State>(dydt.data()) = f;
  };
  auto stepper = odeint::make_controlled(tolerance, tolerance, odeint::runge_kutta_dopri5<State>());
  State y;
  Eigen::Map<Body::State>(y.data()) = start();
  double t = 0.0, h = 1e-3;
  for (auto _ : state) {
    while (stepper.try_step(rightHandSide, y, t, h) == odeint::fail) continue;
    benchmark::DoNotOptimize(y.data());
  }
}
BENCHMARK(odeintStep)->Name("dopri5/odeint");

}  // namespace
