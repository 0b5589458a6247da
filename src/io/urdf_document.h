#pragma once

#include "polhode/io/model_file.h"
#include "value.h"

#include <string>
#include <vector>

namespace polhode {

/// Puts the bodies, joints and forces of the URDF file that a document names, [model] urdf = "robot.urdf", into the document
/// as if they stood there, before its own. A [[body]], [[joint]] or [[force]] of the document that has the name of one of
/// them changes the keys that it gives and leaves the others. Gravity is that of the Earth along -z, unless the document
/// gives one. Returns what was left out of the URDF file. Throws an InputError where the file cannot be read, or may not be.
std::vector<std::string> expandUrdf(Value& document, const std::string& fileName, OtherFiles files);

}  // namespace polhode
