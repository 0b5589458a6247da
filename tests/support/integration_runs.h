#pragma once

#include "integrate/stepper.h"

#include <algorithm>

/// What every test of an integrator begins with.
namespace polhode::test {

inline IntegratorOptions withTolerance(double tolerance) {
  IntegratorOptions options;
  options.relativeTolerance = options.absoluteTolerance = tolerance;
  return options;
}

/// Steps until the end is reached, forwards or backwards; for every class with the functions of Stepper.
template <class Integrator>
void runTo(double end, Integrator& integrator) {
  const bool forwards = end > integrator.time();
  while (forwards ? integrator.time() < end : integrator.time() > end) integrator.step();
}

/// The largest error of dense output within the steps of a run from t = 0, compared with runs of their own that have the
/// tolerance `reference`.
template <class Method, class Ode>
double interpolationError(const Ode& ode, const typename Ode::State& y0, double end, double tolerance,
                          double reference) {
  Method method(ode, 0.0, y0, end, withTolerance(tolerance));
  typename Ode::State start = y0, y = y0;
  double error = 0.0;
  while (method.time() < end) {
    start = method.state();
    method.step();
    for (const double s : {0.1, 0.3, 0.5, 0.8}) {
      const double t = method.previousTime() + s * (method.time() - method.previousTime());
      method.interpolate(t, y);
      Method exact(ode, method.previousTime(), start, t, withTolerance(reference));
      runTo(t, exact);
      error = std::max(error, (y - exact.state()).cwiseAbs().maxCoeff());
    }
  }
  return error;
}

}  // namespace polhode::test
