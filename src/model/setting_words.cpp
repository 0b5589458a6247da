#include "model/setting_words.h"

#include "model/suggestion.h"

#include <algorithm>

#include <fmt/format.h>

namespace polhode {

namespace {

constexpr SettingWord coordinateList[] = {
    {"quaternion", "Unit quaternions (w, x, y, z): four numbers, no singularity. The choice to begin with."},
    {"director", "The nine components of the body's axes (rotation-free): no singularity, simple equations."},
    {"euler313", "Euler angles 3-1-3: three numbers, gimbal lock where the second is 0 or pi."},
    {"cardan", "Cardan angles x-y-z: three numbers, gimbal lock where the second is +-pi/2."}};

constexpr SettingWord projectionList[] = {
    {"none", "The state stays where the integrator left it."},
    {"explicit", "After every step onto the constraints of the coordinates, by a formula."},
    {"polar", "After every step to the nearest rotation."}};

/// "there is no projection 'polr'; did you mean ..."
std::string unknownWord(const char* beginning, const std::string& word, std::span<const SettingWord> known) {
  std::vector<std::string> names;
  for (const SettingWord& each : known) names.push_back(each.name);
  if (std::find(names.begin(), names.end(), word) != names.end()) return "";
  return fmt::format("{} {}; {}", beginning, quoted(word), suggestion(word, names));
}

}  // namespace

std::span<const SettingWord> coordinateWords() {
  return coordinateList;
}

std::span<const SettingWord> projectionWords() {
  return projectionList;
}

std::string unknownSettingWord(const SimulationSettings& settings) {
  std::string found = unknownWord("there are no coordinates", settings.coordinates, coordinateList);
  if (found.empty()) found = unknownWord("there is no projection", settings.projection, projectionList);
  return found;
}

}  // namespace polhode
