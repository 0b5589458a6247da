#pragma once

#include "polhode/model/simulation.h"

#include <span>

namespace polhode {

/// A word that a setting may have, and what it means.
struct SettingWord {
  const char* name;
  const char* summary;
};

std::span<const SettingWord> coordinateWords();
std::span<const SettingWord> projectionWords();

/// Which word of the settings does not exist ("there are no coordinates 'quaternon'; did you mean ..."); empty where all do.
/// Integrators and formulations have registries of their own.
std::string unknownSettingWord(const SimulationSettings& settings);

}  // namespace polhode
