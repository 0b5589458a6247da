#pragma once

#include "io/report.h"
#include "polhode/analysis/run.h"

namespace polhode::live {

/// A run as one page: its motion in three dimensions as a player, what it found in words, and charts of energies, momenta,
/// drifts, joint coordinates, reactions, forces and sensors over the time. The run must have kept its recording.
/// `whyIntegrator` is the reason for the integrator where nobody chose it.
Report runPage(const Model& model, const SimulationSettings& settings, const RunResult& result,
               const std::string& whyIntegrator);

/// Modes as one page with a player: their motion (analysis/mode_motion.h), and a section of words.
Report modesPage(const Model& model, const Recording& motion, const std::string& words);

/// Throws an InputError unless a page can be written to `path`: to be asked before the work, not after it.
void requirePagePath(const std::string& path);

/// Seconds between the rows of a run that is to become a page: six thousand of them, fewer where there are so many bodies that
/// these would not fit into the memory, and more where bodies turn so fast that the eye would not see in which direction. Where the
/// step is given, rows are at the ends of steps.
double rowsForPage(const Model& model, const SimulationSettings& settings);

}  // namespace polhode::live
