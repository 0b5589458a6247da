#pragma once

#include "ensemble/measure.h"
#include "ensemble/member_mover.h"

namespace polhode::ensemble {

struct WatchedRun {
  RunResult result;
  MeasureWatch watch;
};

/// Moves one member by an engine of its own, as `polhode run` does, and shows the watch the ends of its steps, with some points
/// within those that the integrator has chosen. `options` are those of the member's settings, and more if wished.
WatchedRun watchedRun(const Member& member, const MeasureSet& measures, RunOptions options,
                      MeasureWatch::Keeps keeps = MeasureWatch::Keeps::sums);

}  // namespace polhode::ensemble
