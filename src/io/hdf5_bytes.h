#pragma once

#include "polhode/io/recording.h"

namespace polhode {

/// The bytes of the HDF5 file that writeRecording would write, for those who send it. Throws as writeRecording does.
std::string hdf5Bytes(const Recording& recording, const Attributes& attributes);

}  // namespace polhode
