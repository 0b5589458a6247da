#pragma once

#include <optional>
#include <string>

namespace polhode::app {

/// What `polhode run` was told of a system that has a name instead of a model file.
struct SystemRequest {
  std::string system, integrator, out;
  std::optional<double> step, tolerance, end;
  bool json = false;
};

/// Whether there is a system of that name ("mass-spring").
bool isNamedSystem(const std::string& name);

/// Runs it by one of the integrators for constrained systems and prints what came of it.
void runNamedSystem(const SystemRequest& run);

}  // namespace polhode::app
