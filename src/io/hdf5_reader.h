#pragma once

#include "polhode/io/recording.h"

#include <string>
#include <string_view>

namespace polhode {

/// Reads the bytes of an HDF5 file that makeHdf5Writer wrote, or the versions before (layout 1: a table for each column). Throws an InputError, which begins with `name`, for others.
RecordingFile parseHdf5(const std::string& name, std::string_view bytes);

}  // namespace polhode
