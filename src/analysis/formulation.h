#pragma once

#include "analysis/engines/classical_mechanism_engine.h"

#include <span>
#include <string>

namespace polhode {

/// A formulation of mechanisms as the registry knows it: which equations a classical integrator sees. To add one: its file in
/// analysis/formulations, with its entry, and its line in formulation_types.cpp.
struct FormulationType {
  const char* name;                      // "null-space"
  const char* summary;                   // in a line
  bool isDifferentialAlgebraic = false;  // with multipliers as unknowns: for integrator bdf alone, without a projection
  bool takesAngles = false;              // Euler and Cardan angles as coordinates
  bool takesBaumgarte = false;

  std::unique_ptr<ClassicalMechanismEngine> (*make)(const std::shared_ptr<const Mechanism>&, const SimulationSettings&);
};

/// All of them, the usual one first.
std::span<const FormulationType* const> formulationTypes();

/// Throws InputError, with the nearest name, where there is none.
const FormulationType& findFormulation(const std::string& name);

/// "there is no formulation 'index'; known are ..."; empty where there is.
std::string unknownFormulation(const std::string& name);

/// Why coordinates, formulation, integrator, projection and Baumgarte's term do not go together; empty where they do.
std::string formulationObstacle(const SimulationSettings& settings);

}  // namespace polhode
