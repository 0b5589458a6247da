#pragma once

#include "polhode/model/signal.h"

#include <limits>
#include <vector>

/// When something happens: the time of a run in pieces, within each of which all signals are smooth.
///
/// A piece ends where a signal breaks (its value, its rate or a higher derivative jumps), and where one begins or ceases to
/// vary: a bump that comes after long rest has a piece of its own. An integrator that begins anew with each piece, and
/// within a piece takes no longer steps than the piece allows, cannot pass over what happens later.
///
/// What is guaranteed: breaks are found as Signal::breaks says, rest is proved by bounds (Signal::range), so that a bump
/// of a formula is found however short it is, until thousands of pieces of rest have been looked at. Within a piece that
/// varies all the time, what is shorter than 1/2000 of the piece may be passed over; `largest_step` is for that.
namespace polhode {

struct SmoothPiece {
  double begin = 0.0, end = 0.0;

  /// The first and the last instant at which signals have the values of this piece: the end itself, where something jumps,
  /// already has those of the next one.
  double firstInstant = 0.0, lastInstant = 0.0;

  /// The lowest derivative of a signal that jumps where the piece begins; 3 for higher ones and for none.
  int breakOrder = 3;

  /// In which no signal changes by more than half of what it changes by in all; infinite where none varies.
  double largestStep = std::numeric_limits<double>::infinity();
};

/// From one time to another, in order and without a gap; at least one.
std::vector<SmoothPiece> smoothPieces(const std::vector<Signal>& signals, double from, double to);

}  // namespace polhode
