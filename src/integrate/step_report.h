#pragma once

#include "math/largest.h"

#include <string_view>

namespace polhode {

/// How an implicit step ended. Not converged: the state is as it was before the step.
struct StepReport {
  bool converged = false;
  int iterations = 0;      // of Newton's method, those of all sub-steps together
  double residual = 0.0;   // size of the last correction relative to the increment that is solved for
  int factorisations = 0;  // of matrices, where the scheme counts them

  double contraction = 0.0;  // of corrections from one iteration to the next, where that grows with the step; else 0

  /// Where the iteration came to rest but the equations do not hold at the end of the step: the joint that is open widest
  /// there (none where it is the balance of momentum), and by how much, in metres or radians.
  bool doubtful = false;
  std::string_view openJoint{};
  double gap = 0.0;

  /// The body whose balance of momentum does not hold there, or whose motion left the range of numbers; empty where it is
  /// none or not known.
  std::string_view body{};

  /// The report of this sub-step and the next one together.
  StepReport& operator+=(const StepReport& next) {
    converged = converged && next.converged;
    iterations += next.iterations;
    factorisations += next.factorisations;
    residual = largestOrNaN(residual, next.residual);
    if (next.doubtful) doubtful = true, openJoint = next.openJoint, gap = next.gap;
    if (!next.body.empty()) body = next.body;
    return *this;
  }
};

}  // namespace polhode
