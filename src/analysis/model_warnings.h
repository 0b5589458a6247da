#pragma once

#include "polhode/model/model.h"
#include "polhode/model/simulation.h"

#include <string>
#include <vector>

namespace polhode {

/// What looks wrong in a model without being impossible, one sentence each: units (gravity of 9810, an inertia that does
/// not go with mass and size, a density that no material has) and springs that swing faster than the step.
std::vector<std::string> modelWarnings(const Model& model, const SimulationSettings& settings);

}  // namespace polhode
