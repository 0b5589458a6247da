#pragma once

#include "polhode/model/sampled_path.h"

#include <string>

namespace polhode {

/// Reads a path from CSV text with the columns t, x, y, z, in seconds and metres, or with t and one value (the others are
/// zero); a first line of words and lines that are empty or begin with '#' are passed over. Throws an InputError
/// "hand.csv:7: ..." where a line is something else.
SampledPath readSignalText(const std::string& text, const std::string& nameForErrors, std::size_t components = 3);

/// The same from a file.
SampledPath readSignalFile(const std::string& path, std::size_t components = 3);

}  // namespace polhode
