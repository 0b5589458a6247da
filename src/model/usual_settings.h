#pragma once

#include "polhode/model/model.h"
#include "polhode/model/simulation.h"

namespace polhode {

/// How a model is simulated where nobody says how: one rule for model files, URDF, the page and C++.
///
///     a model with actuators    linear-implicit-euler with steps of 1 ms, which moves actuators of every method
///     any other                 dop853, with steps chosen for a tolerance of 1e-9
struct UsualIntegrator {
  std::string name;
  std::optional<double> step;
  std::string reason;  // "no integrator is named; ..."
};

UsualIntegrator usualIntegrator(const Model& model);

/// The same for systems that are written as M(q), V(q), g(q): livens-em.
UsualIntegrator usualIntegratorOfSystems();

/// These settings with the integrator by that rule, and with its step where they give none.
SimulationSettings withUsualIntegrator(const Model& model, SimulationSettings settings = {});

}  // namespace polhode
