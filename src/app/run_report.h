#pragma once

#include "polhode/analysis/run.h"

#include <string>

namespace polhode::app {

/// What came of a run, as the one JSON object of `polhode run --json`.
std::string runJson(const Model& model, const SimulationSettings& settings, const RunResult& result);

/// The same for people.
std::string runTable(const Model& model, const SimulationSettings& settings, const RunResult& result);

}  // namespace polhode::app
