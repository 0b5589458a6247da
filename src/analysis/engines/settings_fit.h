#pragma once

#include "integrate/catalogue.h"
#include "polhode/model/simulation.h"
#include "system/index_formulation.h"

#include <optional>
#include <string>

/// What engines share in reading settings. An obstacle is a sentence that says why settings do not go together; it is
/// empty where they do.
namespace polhode {

/// Whether the integrator is of that kind.
bool moves(const SimulationSettings& settings, IntegratorKind kind);

/// Tolerances and steps as an integrator takes them: a step is the first one of those that always choose theirs.
IntegratorOptions integratorOptions(const SimulationSettings& settings);

/// The level that a formulation with multipliers has its constraints on ("index-1", "index-2", "index-3", "ggl"); none for
/// others.
std::optional<ConstraintLevel> constraintLevel(const std::string& formulation);

/// For integrators with equations of their own, which stay on the constraints by themselves: they take no projection, no
/// Baumgarte term and no formulation.
std::string ownConstraintsObstacle(const SimulationSettings& settings);

}  // namespace polhode
