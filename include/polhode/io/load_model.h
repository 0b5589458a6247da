#pragma once

#include "polhode/io/model_file.h"

namespace polhode {

/// A model by the path of its file, TOML or URDF, or by the name of one of the examples that the library carries ("lang-a").
/// Overrides are those of readModelFile. Throws InputError.
ModelFile loadModel(const std::string& pathOrExample, const std::vector<std::string>& overrides = {});

}  // namespace polhode
