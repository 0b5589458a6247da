#pragma once

#include "polhode/model/smooth_pieces.h"
#include "polhode/system/mechanism.h"

namespace polhode {

/// The signals that the loads, motors and drives of a mechanism follow; constants left out.
std::vector<Signal> signalsOf(const Mechanism& mechanism);

/// The time of a run in pieces within which all of them are smooth, and how long steps may be there.
std::vector<SmoothPiece> smoothPieces(const Mechanism& mechanism, double from, double to);

}  // namespace polhode
