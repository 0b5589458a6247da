#pragma once

#include "analysis/gradient.h"
#include "ensemble/member_mover.h"

/// The derivatives of what is measured by what varies. Every smooth measure changes with its observable x at certain instants of
/// the run alone (MeasureWatch::changes):
///
///     d end = dx(T),  d max = dx(where it is),  d mean = mean of dx,  d rms = mean of x dx / rms,  d time = -dx(t)/x'(t)
///
/// so the member is run and watched, and the derivatives of x at these instants are those of analysis/gradient.h.
namespace polhode::ensemble {

/// A row for each measure, a column for each parameter; not a number where what is measured does not happen. Throws InputError
/// where a neighbouring model is impossible, SimulationError where a run fails.
MatrixX measureGradient(const Member& member, const MeasureSet& measures, const std::vector<VariedModels>& parameters);

}  // namespace polhode::ensemble
