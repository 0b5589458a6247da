#pragma once

#include "io/recording_writer.h"

namespace polhode {

/// A recording as comma-separated values: a line of names, then a line for each row, 17 significant digits. Only whole
/// lines are written; where the disk is full the line that did not fit is taken back.
std::unique_ptr<RecordingWriter> makeCsvWriter(const std::string& path, const std::vector<std::string>& columns);

/// The same as text in memory.
std::string csvText(const Recording& recording);

}  // namespace polhode
