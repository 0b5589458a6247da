#pragma once

#include "integrate/single_body/scheme.h"
#include "integrate/step_failure.h"

#include <cmath>

namespace polhode::single_body {

/// One step of a scheme, and the time with it. Throws SimulationError if it fails; state and time are as they
/// were.
template <SingleBodyScheme Scheme>
StepReport stepOrThrow(const Scheme& scheme, typename Scheme::State& state, double& time, double h) {
  const StepReport report = scheme.step(state, h);
  if (!report.converged) {
    const double turn = std::abs(h) * scheme.top(state).Omega.norm();
    throwStepFailure(Scheme::name, time, h, report, Scheme::remedy, turn);
  }
  time += h;
  return report;
}

}  // namespace polhode::single_body
