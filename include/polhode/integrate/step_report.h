#pragma once

#include "polhode/math/largest.h"

namespace polhode {

/// How an implicit step ended. Not converged: the state is as it was before the step.
struct StepReport {
  bool converged = false;
  int iterations = 0;      // of Newton's method, those of all sub-steps together
  double residual = 0.0;   // size of the last correction relative to the increment that is solved for
  int factorisations = 0;  // of matrices, where the scheme counts them

  /// The report of this sub-step and the next one together.
  StepReport& operator+=(const StepReport& next) {
    converged = converged && next.converged;
    iterations += next.iterations;
    factorisations += next.factorisations;
    residual = largestOrNaN(residual, next.residual);
    return *this;
  }
};

}  // namespace polhode
