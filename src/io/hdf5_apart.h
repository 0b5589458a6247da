#pragma once

#include "polhode/io/recording.h"

#include <string>
#include <string_view>

namespace polhode {

/// parseHdf5 in a process of its own: HDF5 1.10 reads beyond its memory where a file is damaged in the right places, and a
/// server, or whoever opens somebody else's run, is to say so in a sentence instead of ending. Throws an InputError, which
/// begins with `name`, for all that is not a run; also where that process dies or takes longer than a minute of computing.
RecordingFile parseHdf5Apart(const std::string& name, std::string_view bytes);

}  // namespace polhode
