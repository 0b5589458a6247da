#pragma once

#include "model/smooth_pieces.h"
#include "system/break_times.h"

namespace polhode {

/// The time of a run in pieces within which all signals of a mechanism are smooth, and how long steps may be there.
std::vector<SmoothPiece> smoothPieces(const Mechanism& mechanism, double from, double to);

}  // namespace polhode
