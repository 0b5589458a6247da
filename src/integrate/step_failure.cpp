#include "integrate/step_failure.h"

#include "polhode/error.h"

#include <cmath>

#include <fmt/format.h>

namespace polhode {

void throwStepFailure(std::string_view scheme, double time, double h, const StepReport& report, std::string_view remedy,
                      double turn) {
  const std::string body = report.body.empty() ? std::string() : fmt::format(" of body '{}'", report.body);
  const std::string reached =
      !std::isfinite(report.residual) ? fmt::format("the {}{} left the range where the equations are defined",
                                                    body.empty() ? "iteration" : "motion", body)
      : !report.openJoint.empty()
          ? fmt::format("joint '{}' would be open by {:.2g} at its end", report.openJoint, report.gap)
      : report.doubtful ? fmt::format("at its end forces and momenta{} would not be in balance", body)
                        : fmt::format("the last correction was {:.2g} of the increment", report.residual);
  const std::string angle = turn > 0.0 ? fmt::format(", h |Omega| = {:.3g}", turn) : std::string();
  throw SimulationError(time,
                        fmt::format("{}: the step from t = {:.9g} with h = {:.6g} did not converge in {} iterations of "
                                    "Newton's method ({}{}); {}",
                                    scheme, time, h, report.iterations, reached, angle, remedy));
}

void throwToleranceFailure(std::string_view scheme, double time, double h, double error, double tolerance) {
  throw SimulationError(time, fmt::format("{}: at t = {:.9g} even a step of h = {:.3g} has an error of "
                                          "{:.2g}, above the tolerance of {:.2g}; "
                                          "take a larger tolerance or a composition of higher order",
                                          scheme, time, h, error, tolerance));
}

}  // namespace polhode
