#pragma once

#include "polhode/io/model_file.h"

#include <string>
#include <vector>

namespace polhode::app {

/// A model file, or one of the examples that the program carries, by name ("lang-a").
ModelFile loadModel(const std::string& pathOrExample, const std::vector<std::string>& overrides);

}  // namespace polhode::app
