#pragma once

#include "polhode/analysis/recording.h"

#include <string>
#include <string_view>
#include <utility>
#include <vector>

/// What a simulation recorded, and files of it.
///
///     FILE.csv  a line of column names, then a line for each output time; 17 significant digits
///     FILE.h5   tables in groups, /time, /bodies/NAME/position and so on (recording_layout.h, docs/recordings.md)
///
/// A file is written under another name and renamed when it is complete, or has begun well where it grows
/// (recording_stream.h), so that an existing one is never lost.
namespace polhode {

/// Words about a recording, such as {"model", "Heavy top"} and {"integrator", "dop853"}.
using Attributes = std::vector<std::pair<std::string, std::string>>;

/// Throws an InputError unless a recording can be written to `path`: the extension is known, the folder
/// exists and a file can be made there. To be called before a long simulation, not after it.
void checkOutputPath(const std::string& path);

/// Writes a recording as CSV or HDF5, by the extension of `path`. Throws as checkOutputPath does, and where
/// the disk is full.
void writeRecording(const std::string& path, const Recording& recording, const Attributes& attributes);

/// A recording and the words about it (none in a CSV file).
struct RecordingFile {
  Recording recording;
  Attributes attributes;
};

/// Reads what writeRecording wrote. Throws an InputError, which begins with the path, for anything else.
RecordingFile readRecording(const std::string& path);

/// The same for bytes in memory; what they are is seen from their beginning. Errors call them `name`.
RecordingFile parseRecording(const std::string& name, std::string_view bytes);

}  // namespace polhode
