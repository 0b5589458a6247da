#pragma once

#include "integrate/step_report.h"

#include <string_view>

namespace polhode {

/// Says in one sentence that a step did not converge: by which scheme, when, how far it got, and what to do.
/// `turn` is h |Omega|, the angle of the step; zero or less leaves it out. Throws SimulationError.
[[noreturn]] void throwStepFailure(std::string_view scheme, double time, double h, const StepReport& report,
                                   std::string_view remedy, double turn = 0.0);

/// Says that step-size control has given up: the error of the shortest step it may take is above the
/// tolerance.
[[noreturn]] void throwToleranceFailure(std::string_view scheme, double time, double h, double error, double tolerance);

}  // namespace polhode
