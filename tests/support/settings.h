#pragma once

#include "polhode/model/simulation.h"

#include <string>

namespace polhode::test {

/// By an integrator with steps of one length.
inline SimulationSettings by(const std::string& integrator, double step, double end) {
  SimulationSettings settings;
  settings.integrator = integrator;
  settings.step = step;
  settings.end = end;
  return settings;
}

}  // namespace polhode::test
