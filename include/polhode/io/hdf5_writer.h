#pragma once

#include "polhode/io/recording.h"

#include <string>

namespace polhode {

/// Writes a recording as HDF5, straight to `path`. Throws an InputError where this fails; writeRecording is
/// the one that never leaves half a file.
void writeHdf5(const std::string& path, const Recording& recording, const Attributes& attributes);

}  // namespace polhode
