#include "simulation_reader.h"

#include "model/setting_words.h"
#include "model/suggestion.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace polhode {
namespace {

constexpr int mostThreads = 1000000;  // what is beyond is a slip; more than pieces are not started

void readProjection(const Field& field, SimulationSettings& settings) {
  std::vector<std::string> known;
  for (const SettingWord& word : projectionWords()) known.push_back(word.name);
  settings.projection = field.text();
  if (std::find(known.begin(), known.end(), settings.projection) == known.end())
    field.fail(fmt::format("is the unknown word {}; {}", polhode::quoted(settings.projection),
                           suggestion(settings.projection, known)));
}

void readTolerance(const Field& field, SimulationSettings& settings) {
  settings.tolerance = field.positiveNumber();
  if (settings.tolerance >= 1.0) field.fail(fmt::format("must be below 1, not {}", settings.tolerance));
}

void readThreads(const Field& field, SimulationSettings& settings) {
  const double count = field.number();
  if (!(count >= 1.0 && count <= mostThreads && count == std::floor(count)))
    field.fail(fmt::format("must be a whole number from 1 to {}, not {}", mostThreads, count));
  settings.threads = static_cast<int>(count);
}

}  // namespace

const std::vector<std::string>& simulationKeys() {
  static const std::vector<std::string> keys = {"coordinates", "formulation",  "integrator", "projection", "step",
                                                "tolerance",   "end",          "output",     "stop_when",  "assemble",
                                                "baumgarte",   "largest_step", "threads"};
  return keys;
}

SimulationSettings readSimulation(const ModelSection& section, std::map<std::string, std::string>& places) {
  SimulationSettings settings;
  const auto readWord = [&](const char* key, std::string& word) {
    const auto field = section.find(key);
    if (!field) return;
    word = field->text();
    places[key] = field->value().place.text();
  };
  readWord("coordinates", settings.coordinates);
  readWord("formulation", settings.formulation);
  readWord("integrator", settings.integrator);
  readWord("stop_when", settings.stopWhen);

  if (const auto projection = section.find("projection")) readProjection(*projection, settings);
  if (const auto tolerance = section.find("tolerance")) readTolerance(*tolerance, settings);
  if (const auto threads = section.find("threads")) readThreads(*threads, settings);
  if (const auto step = section.find("step")) settings.step = step->positiveNumber();
  if (const auto largest = section.find("largest_step")) settings.largestStep = largest->positiveNumber();
  if (const auto end = section.find("end")) settings.end = end->positiveNumber();
  if (const auto baumgarte = section.find("baumgarte")) {
    const char* const example = "{ alpha = 10.0, beta = 10.0 }";
    const ModelSection table = baumgarte->section({"alpha", "beta"}, example);
    settings.baumgarte =
        Baumgarte{table.require("alpha", example).positiveNumber(), table.require("beta", example).positiveNumber()};
  }
  if (const auto output = section.find("output")) {
    const ModelSection table = output->section({"every"}, "{ every = 0.01 }");
    settings.outputEvery = table.require("every", "every = 0.01").positiveNumber();
  }
  return settings;
}

}  // namespace polhode
