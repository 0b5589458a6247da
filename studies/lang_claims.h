#pragma once

#include "lang_figures.h"
#include "operation_counts.h"

#include <map>

namespace polhode::lang {

/// All that the study measured.
struct Findings {
  std::vector<RightHandSideCost> costs;
  std::vector<DriftCurve> drift;
  std::vector<WorkPrecisionCurve> exampleA;        // all integrators
  std::vector<WorkPrecisionCurve> exampleBLarge;   // DOPRI5, disturbance 1e-1
  std::vector<WorkPrecisionCurve> exampleBSmall;   // DOPRI5, disturbance 1e-5
  std::map<std::string, double> energyErrorAt500;  // by equation
  double projectionDifference = 0.0;               // |explicit - polar| / drift, of a frame
};

std::vector<Claim> claims(const Findings& findings);

/// How far the explicit projection of a drifted frame is from the nearest rotation, relative to the drift (Lemma 6.2
/// says not at all).
double projectionDifference();

}  // namespace polhode::lang
