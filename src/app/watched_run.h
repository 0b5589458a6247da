#pragma once

#include "analysis/engines/system_engine.h"
#include "io/checkpoint_file.h"
#include "polhode/io/model_file.h"

#include <optional>
#include <string>

namespace polhode::app {

/// A run from the command line: what `run` and `resume` have in common.
struct RunRequest {
  ModelFile file;
  SimulationSettings settings;
  std::string out;  // empty for none
  bool json = false, eachPart = false;
  std::optional<double> checkpointEvery;   // seconds
  std::optional<SavedRun> saved;           // where it goes on, with the rows of `out` until there
  std::string whyIntegrator{};             // the reason, where nobody chose it
  std::string columns{};                   // which of them `out` gets (analysis/chosen_columns.h); all if empty
  std::string report{};                    // the page that is made of it; empty for none
  std::shared_ptr<SystemEngine> system{};  // moves a system that is not made of bodies, in place of the file's model
};

/// Runs it with a line of progress, ends it in order on Ctrl-C and SIGTERM, and prints its report. Throws what the exit code
/// says.
void runWatched(const RunRequest& asked);

}  // namespace polhode::app
