#pragma once

#include "polhode/io/recording.h"

#include <string>

namespace polhode {

/// Writes a recording as comma-separated values, straight to `path`. Throws an InputError where this fails;
/// writeRecording is the one that never leaves half a file.
void writeCsv(const std::string& path, const Recording& recording);

/// The same as text in memory.
std::string csvText(const Recording& recording);

}  // namespace polhode
