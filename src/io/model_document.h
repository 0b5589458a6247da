#pragma once

#include "polhode/io/model_file.h"
#include "value.h"

#include <filesystem>
#include <string>
#include <vector>

namespace polhode {

/// A model file as a tree before it is read: with what its URDF file has, and with its overrides. `leftOut` takes what is
/// not simulated of the URDF file.
Value modelDocument(const std::string& text, const std::string& nameForErrors,
                    const std::vector<std::string>& overrides, OtherFiles files, std::vector<std::string>& leftOut);

/// The model of a tree; errors call its file `nameForErrors`, beside which other files are looked for.
ModelFile readModelDocument(const Value& document, const std::string& nameForErrors, OtherFiles files);

/// Writes a model file that is the given one, which was read from `source`, but starts at rest where `bodies` are: each
/// [[body]] has a `start` then, and no velocities. Everything else stays as it is, overrides applied; a model of a URDF file
/// is written as its bodies and joints. Throws InputError where the file cannot be written, or the model cannot start there.
void writeModelAtRest(const std::filesystem::path& path, const ModelFile& file, const std::string& source,
                      const std::vector<Body>& bodies);

}  // namespace polhode
