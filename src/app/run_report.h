#pragma once

#include "polhode/analysis/run.h"

#include <string>

namespace polhode::app {

/// What came of a run, as the one JSON object of `polhode run --json`; why it has this integrator, if nobody chose it.
std::string runJson(const Model& model, const SimulationSettings& settings, const RunResult& result,
                    const std::string& whyIntegrator);

/// The same for people; of a large model each part only where that is asked for.
std::string runTable(const Model& model, const SimulationSettings& settings, const RunResult& result,
                     const std::string& whyIntegrator, bool eachPart);

}  // namespace polhode::app
