#include "analysis/formulation.h"
#include "analysis/formulations/formulations.h"
#include "integrate/catalogue.h"
#include "model/suggestion.h"
#include "polhode/error.h"

#include <fmt/format.h>

namespace polhode {

namespace {

/// All formulations of mechanisms.
const FormulationType* const formulations[] = {&nullSpaceFormulation, &absoluteFormulation, &index1Formulation,
                                               &index2Formulation,    &index3Formulation,   &gglFormulation};

const FormulationType* formulationNamed(const std::string& name) {
  for (const FormulationType* type : formulations)
    if (name == type->name) return type;
  return nullptr;
}

/// "'absolute' or 'index-1'"
std::string withBaumgarte() {
  std::string names;
  for (const FormulationType* type : formulations)
    if (type->takesBaumgarte) names += (names.empty() ? "" : " or ") + quoted(type->name);
  return names;
}

}  // namespace

std::span<const FormulationType* const> formulationTypes() {
  return formulations;
}

std::string unknownFormulation(const std::string& name) {
  if (formulationNamed(name)) return "";
  std::vector<std::string> names;
  for (const FormulationType* type : formulations) names.emplace_back(type->name);
  return fmt::format("there is no formulation {}; {}", quoted(name), suggestion(name, names));
}

const FormulationType& findFormulation(const std::string& name) {
  if (const FormulationType* type = formulationNamed(name)) return *type;
  throw InputError(unknownFormulation(name));
}

std::string formulationObstacle(const SimulationSettings& settings) {
  const FormulationType& formulation = findFormulation(settings.formulation);
  if (formulation.isDifferentialAlgebraic && !findIntegrator(settings.integrator).solvesDaes)
    return fmt::format(
        "formulation '{}' is a differential-algebraic equation, which integrator '{}' does not solve; choose "
        "integrator 'bdf' or formulation 'null-space'",
        formulation.name, settings.integrator);
  if (!formulation.takesAngles && (settings.coordinates == "euler313" || settings.coordinates == "cardan"))
    return fmt::format(
        "{} angles have no constraint and so no formulation '{}'; use coordinates 'quaternion' or 'director', or "
        "formulation 'null-space'",
        settings.coordinates, formulation.name);
  if (formulation.isDifferentialAlgebraic && settings.projection != "none")
    return fmt::format(
        "projection '{}' does not go with formulation '{}', whose history it would break; use formulation 'ggl' or "
        "projection 'none'",
        settings.projection, formulation.name);
  if (settings.baumgarte && !formulation.takesBaumgarte)
    return fmt::format(
        "baumgarte does not go with formulation '{}', which has no constraint on the level of acceleration; use it "
        "with "
        "{}, or leave it out",
        formulation.name, withBaumgarte());
  return "";
}

}  // namespace polhode
