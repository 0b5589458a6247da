#include "integrate/radau5.h"

#include "polhode/error.h"

#include <fmt/format.h>

namespace polhode {

namespace radau5 {

Tolerances transformTolerances(const IntegratorOptions& options) {
  if (!(options.relativeTolerance > 10.0 * roundOff) || !(options.absoluteTolerance > 0.0))
    throw InputError(
        fmt::format("radau5: tolerances {} (relative) and {} (absolute) cannot be met in double precision; "
                    "give a relative one above 1e-15 and a positive absolute one",
                    options.relativeTolerance, options.absoluteTolerance));
  const double relative = 0.1 * std::pow(options.relativeTolerance, 2.0 / 3.0);
  const double absolute = relative * (options.absoluteTolerance / options.relativeTolerance);
  const double newton = std::max(10.0 * roundOff / relative, std::min(0.03, std::sqrt(relative)));
  return {relative, absolute, newton};
}

void failSingularMatrix(double time, double step) {
  throw SimulationError(
      time, fmt::format("radau5: at t = {:.17g} the Newton matrix is singular for {} step sizes in turn, the "
                        "last one {:.3g}: the Jacobian of the right-hand side is far too large; check the "
                        "units and the stiffnesses of the model",
                        time, mostSingularMatrices, step));
}

void failNotFinite(double time) {
  throw SimulationError(
      time, fmt::format("radau5: at t = {:.17g} the right-hand side or its Jacobian is not a finite number: the "
                        "coordinates are singular there; choose others, or check the forces",
                        time));
}

}  // namespace radau5

template class Radau5<OdeSystem>;

}  // namespace polhode
