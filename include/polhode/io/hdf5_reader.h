#pragma once

#include "polhode/io/recording.h"

#include <string>
#include <string_view>

namespace polhode {

/// Reads the bytes of an HDF5 file that writeHdf5 wrote. Throws an InputError, which begins with `name`, for others.
RecordingFile parseHdf5(const std::string& name, std::string_view bytes);

}  // namespace polhode
