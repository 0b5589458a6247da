#include "io/run_attributes.h"

#include <cstdlib>
#include <sstream>

#include <fmt/format.h>

namespace polhode {

namespace {

constexpr const char* modelFileKey = "model_file";
constexpr const char* overridesKey = "overrides";

std::string find(const Attributes& attributes, const std::string& key) {
  for (const auto& [name, text] : attributes)
    if (name == key) return text;
  return {};
}

}  // namespace

Attributes runAttributes(const ModelFile& file, const std::string& integrator) {
  return {{"model", file.model.name},
          {"integrator", integrator},
          {modelFileKey, file.text},
          {overridesKey, fmt::format("{}", fmt::join(file.overrides, "\n"))}};
}

Attributes runAttributes(const ModelFile& file, const SimulationSettings& settings) {
  Attributes attributes = runAttributes(file, settings.integrator);
  const auto add = [&](const char* name, const std::string& text) { attributes.emplace_back(name, text); };
  const auto number = [](double value) { return fmt::format("{:.17g}", value); };
  add("coordinates", settings.coordinates);
  add("formulation", settings.formulation);
  add("projection", settings.projection);
  add("step", settings.step ? number(*settings.step) : "");
  add("largest_step", settings.largestStep ? number(*settings.largestStep) : "");
  add("tolerance", number(settings.tolerance));
  add("end", number(settings.end));
  add("output_every", settings.outputEvery ? number(*settings.outputEvery) : "");
  add("stop_when", settings.stopWhen);
  add("threads", fmt::format("{}", settings.threads));
  return attributes;
}

SimulationSettings settingsOfRun(const Attributes& attributes, const ModelFile& file) {
  SimulationSettings settings = file.simulation;
  const auto number = [&](const char* name) -> std::optional<double> {
    const std::string text = find(attributes, name);
    return text.empty() ? std::nullopt : std::optional(std::strtod(text.c_str(), nullptr));
  };
  settings.integrator = find(attributes, "integrator");
  settings.coordinates = find(attributes, "coordinates");
  settings.formulation = find(attributes, "formulation");
  settings.projection = find(attributes, "projection");
  settings.step = number("step");
  settings.largestStep = number("largest_step");
  settings.tolerance = number("tolerance").value_or(settings.tolerance);
  settings.end = number("end").value_or(settings.end);
  settings.outputEvery = number("output_every");
  settings.stopWhen = find(attributes, "stop_when");
  settings.threads = static_cast<int>(number("threads").value_or(settings.threads));
  return settings;
}

std::optional<ModelFile> modelOfRun(const Attributes& attributes, const std::string& nameForErrors, OtherFiles files) {
  const std::string text = find(attributes, modelFileKey);
  if (text.empty()) return std::nullopt;
  std::vector<std::string> overrides;
  std::istringstream lines(find(attributes, overridesKey));
  for (std::string line; std::getline(lines, line);) overrides.push_back(line);
  return readModelText(text, nameForErrors, overrides, files);
}

}  // namespace polhode
