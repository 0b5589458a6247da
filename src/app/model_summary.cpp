#include "model_summary.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

namespace polhode::app {

namespace {

/// "511 (510 ball, 1 revolute)", the most frequent first.
template <class Part>
std::string countedTypes(const std::vector<Part>& parts) {
  std::vector<std::pair<std::string, std::size_t>> types;
  for (const Part& part : parts) {
    const auto found = std::find_if(types.begin(), types.end(), [&](const auto& t) { return t.first == part.type; });
    if (found == types.end())
      types.emplace_back(part.type, 1);
    else
      ++found->second;
  }
  std::stable_sort(types.begin(), types.end(), [](const auto& a, const auto& b) { return a.second > b.second; });
  std::string text;
  for (const auto& [type, count] : types) text += fmt::format("{}{} {}", text.empty() ? "" : ", ", count, type);
  return fmt::format("{} ({})", parts.size(), text);
}

}  // namespace

std::string summaryOfParts(const Model& model) {
  double mass = 0.0;
  for (const Body& body : model.bodies) mass += body.mass;
  std::string text = fmt::format("  bodies              {}, together {:.6g} kg (--bodies tells each part)\n",
                                 model.bodies.size(), mass);
  if (!model.joints.empty()) text += fmt::format("  joints              {}\n", countedTypes(model.joints));
  if (!model.forces.empty()) text += fmt::format("  forces              {}\n", countedTypes(model.forces));
  return text;
}

}  // namespace polhode::app
