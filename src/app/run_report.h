#pragma once

#include "polhode/analysis/run.h"

#include <string>

namespace polhode {
class JsonWriter;
}

namespace polhode::app {

/// What came of a run, as the one JSON object of `polhode run --json`; why it has this integrator, if nobody chose it.
std::string runJson(const Model& model, const SimulationSettings& settings, const RunResult& result,
                    const std::string& whyIntegrator);

/// The same for people; of a large model each part only where that is asked for.
std::string runTable(const Model& model, const SimulationSettings& settings, const RunResult& result,
                     const std::string& whyIntegrator, bool eachPart);

/// The JSON object of a command that found nothing, and why; the sentence and the exit code follow it.
std::string failureJson(const std::string& model, const std::string& failure);

/// Each body, joint and force of an observation: the fields of the JSON object, and lines for people.
void writeParts(JsonWriter& json, const Observation& observation);
std::string partsTable(const Observation& observation);

}  // namespace polhode::app
