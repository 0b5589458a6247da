#pragma once

#include "field.h"
#include "polhode/model/simulation.h"

#include <map>

namespace polhode {

/// Reads [simulation]. Names of coordinates, formulations and integrators are not judged here: where each
/// stands is written into `places`, by key.
SimulationSettings readSimulation(const ModelSection& section, std::map<std::string, std::string>& places);

/// The keys of [simulation].
const std::vector<std::string>& simulationKeys();

}  // namespace polhode
