#pragma once

#include "polhode/model/simulation.h"

#include <string>

namespace polhode::app {

/// What `polhode run` was told of a system that has a name instead of a model file.
struct SystemRequest {
  std::string system, out;
  SimulationSettings settings;
  bool choosesSteps = false;  // by the tolerance
  bool json = false;
  std::string whyIntegrator{};  // the reason, where nobody chose it
};

/// Whether there is a system of that name ("mass-spring").
bool isNamedSystem(const std::string& name);

/// Runs it by one of the integrators for constrained systems, watched as models are.
void runNamedSystem(const SystemRequest& run);

}  // namespace polhode::app
