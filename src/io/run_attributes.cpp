#include "polhode/io/run_attributes.h"

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

std::optional<ModelFile> modelOfRun(const Attributes& attributes, const std::string& nameForErrors, OtherFiles files) {
  const std::string text = find(attributes, modelFileKey);
  if (text.empty()) return std::nullopt;
  std::vector<std::string> overrides;
  std::istringstream lines(find(attributes, overridesKey));
  for (std::string line; std::getline(lines, line);) overrides.push_back(line);
  return readModelText(text, nameForErrors, overrides, files);
}

}  // namespace polhode
