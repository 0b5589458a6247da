#pragma once

#include "integrate/stepper.h"
#include "math/largest.h"
#include "polhode/model/model.h"
#include "polhode/model/simulation.h"
#include "system/body_equations.h"

#include <string>

namespace polhode {

/// What one run of one body cost and how good it was at its end: a point of a work/precision diagram.
struct WorkPrecision {
  WorkCounts work;
  double rotationError = 0.0;         // largest entry of D - D_reference, drift included
  double angularVelocityError = 0.0;  // largest component
  double energyError = 0.0;           // relative, with sign
  double drift = 0.0;                 // of the coordinates from their constraint at the end
  std::string failure;                // why there is no result, if there is none

  double error() const { return largestOrNaN(rotationError, angularVelocityError); }
};

/// Runs one body with a classical integrator and compares its end with a reference motion.
WorkPrecision measureWorkPrecision(const Model& model, const SimulationSettings& settings, const BodyMotion& reference);

/// The motion at settings.end by DOP853 in quaternion null-space coordinates at the tightest sensible tolerance.
BodyMotion accurateMotion(const Model& model, double end);

}  // namespace polhode
