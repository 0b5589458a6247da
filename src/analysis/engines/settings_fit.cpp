#include "analysis/engines/settings_fit.h"

#include <fmt/format.h>

namespace polhode {

bool moves(const SimulationSettings& settings, IntegratorKind kind) {
  return findIntegrator(settings.integrator).moves == kind;
}

IntegratorOptions integratorOptions(const SimulationSettings& settings) {
  IntegratorOptions options;
  options.relativeTolerance = options.absoluteTolerance = settings.tolerance;
  if (settings.step)
    (findIntegrator(settings.integrator).adaptive ? options.initialStep : options.fixedStep) = *settings.step;
  if (settings.largestStep) options.largestStep = *settings.largestStep;
  return options;
}

std::optional<ConstraintLevel> constraintLevel(const std::string& formulation) {
  for (const ConstraintLevel level : {ConstraintLevel::acceleration, ConstraintLevel::velocity,
                                      ConstraintLevel::position, ConstraintLevel::stabilised})
    if (formulationName(level) == formulation) return level;
  return std::nullopt;
}

std::string ownConstraintsObstacle(const SimulationSettings& settings) {
  if (settings.projection != "none")
    return fmt::format(
        "projection '{}' does not go with integrator '{}', which stays on the constraints by itself; use projection "
        "'none'",
        settings.projection, settings.integrator);
  if (settings.baumgarte)
    return fmt::format(
        "baumgarte does not go with integrator '{}', which stays on the constraints by itself; leave it out, or choose "
        "formulation 'absolute' with 'dop853'",
        settings.integrator);
  if (settings.formulation != SimulationSettings().formulation)
    return fmt::format(
        "formulation '{}' does not go with integrator '{}', which has equations of its own; leave it out, or choose "
        "one "
        "of the classical integrators, such as 'dop853'",
        settings.formulation, settings.integrator);
  return "";
}

}  // namespace polhode
