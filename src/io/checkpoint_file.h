#pragma once

#include "polhode/analysis/run.h"
#include "polhode/io/recording.h"

#include <string>

namespace polhode {

/// What a run needs to go on: the words about it, among them its model file and settings, and where it was.
struct SavedRun {
  Attributes attributes;
  double every = 0.0;  // seconds between two checkpoints
  Checkpoint checkpoint;
};

/// The file beside a recording that holds its last checkpoint: FILE.checkpoint.
std::string checkpointPath(const std::string& recording);

/// Writes it, whole or not at all, so that the one before is there until this one is. Throws InputError.
void writeCheckpoint(const std::string& recording, SavedRun run);

/// Throws InputError where there is none, or it is of another version.
SavedRun readCheckpoint(const std::string& recording);

}  // namespace polhode
