#pragma once

#include "polhode/model/sampled_path.h"

#include <string>

namespace polhode {

/// Reads a path from CSV text with the columns t, x, y, z, in seconds and metres; a first line of words and lines that are
/// empty or begin with '#' are passed over. Throws an InputError "hand.csv:7: ..." where a line is something else.
SampledPath readSignalText(const std::string& text, const std::string& nameForErrors);

/// The same from a file.
SampledPath readSignalFile(const std::string& path);

}  // namespace polhode
