#include "analysis/engines/settings_fit.h"

#include <tuple>

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

std::string projectionObstacle(const SimulationSettings& settings) {
  if (settings.projection == "none") return "";
  return fmt::format(
      "projection '{}' does not go with integrator '{}', which stays on the constraints by itself; use projection "
      "'none'",
      settings.projection, settings.integrator);
}

std::string formulationObstacle(const SimulationSettings& settings) {
  const auto& [coordinates, formulation, integrator, projection] =
      std::tie(settings.coordinates, settings.formulation, settings.integrator, settings.projection);
  const bool isIndex = constraintLevel(formulation).has_value();
  if (isIndex && integrator != "bdf")
    return fmt::format(
        "formulation '{}' is a differential-algebraic equation, which integrator '{}' does not solve; choose "
        "integrator 'bdf' or formulation 'null-space'",
        formulation, integrator);
  if (formulation != "null-space" && (coordinates == "euler313" || coordinates == "cardan"))
    return fmt::format(
        "{} angles have no constraint and so no formulation '{}'; use coordinates 'quaternion' or 'director', or "
        "formulation 'null-space'",
        coordinates, formulation);
  if (isIndex && projection != "none")
    return fmt::format(
        "projection '{}' does not go with formulation '{}', whose history it would break; use formulation 'ggl' or "
        "projection 'none'",
        projection, formulation);
  return "";
}

}  // namespace polhode
