#pragma once

#include "ensemble/ranks.h"

#include <cstdint>
#include <string>

namespace polhode::app {

/// A sweep from the command line: what `sweep` and `resume` have in common.
struct SweepRequest {
  ensemble::SweepPlan plan;
  std::string out;
  unsigned threads = 0;  // 0 for all cores
  std::string report{};  // the page that is made of it; empty for none
  bool json = false;
  std::int64_t done = -1;  // members that `out` has already; -1 where it is made anew
  ensemble::Ranks* ranks = nullptr;
  std::string whyIntegrator{};  // the reason, where nobody chose it
};

/// What a file says of its sweep.
struct SweepPlanFile {
  ensemble::SweepPlan plan;
  std::int64_t done;
};
SweepPlanFile readSweepPlan(const std::string& path);

/// Runs it with a line of progress, ends it in order on Ctrl-C and SIGTERM, and prints what came of it. Throws what the exit
/// code says.
void runWatchedSweep(const SweepRequest& asked);

}  // namespace polhode::app
