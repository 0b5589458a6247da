#pragma once

#include "system/mechanism.h"

#include <vector>

/// When something happens to a mechanism from outside: its drives and loads follow signals, and where one of these kinks or
/// jumps an integrator has to end a step and to begin anew, as no formula for a step holds across it.
namespace polhode {

/// Everything that the mechanism's drives and forces follow over time; constants are left out.
std::vector<Signal> signalsOf(const Mechanism& mechanism);

/// The times 0 < t <= end where one of these kinks or jumps, in order, each once. system/mechanism_pieces.h tells besides
/// where one begins to vary, and how long steps may be.
std::vector<double> breakTimes(const Mechanism& mechanism, double end = 1e4);

}  // namespace polhode
