#pragma once

#include "scheme_runs.h"

/// The parts of the study of Kinon & Betsch 2024 that are not about rigid bodies, and the cost of the reductions.
namespace polhode::kinon {

/// A run of one of the named systems: columns time, kinetic, potential, total_energy (80), generalised_energy (74),
/// constraint, p.1, p.2, ...
Recording systemRun(const std::string& system, const std::string& integrator);

/// What a step of each scheme costs for the free body (figure 9).
struct SchemeCost {
  std::string label;
  int unknowns;
  std::vector<double> steps;    // step sizes
  std::vector<double> seconds;  // for T = 10, the least of several runs
};

/// EML, REML and Null-EML, measured in turns within one run.
std::vector<SchemeCost> reductionCosts();

/// The mean ratio of two costs.
double costRatio(const SchemeCost& cost, const SchemeCost& reference);

}  // namespace polhode::kinon
