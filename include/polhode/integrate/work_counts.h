#pragma once

namespace polhode {

/// What a run has cost.
struct WorkCounts {
  long steps = 0;             // accepted
  long rejected = 0;          // by the error test or because Newton's method did not converge
  long rhsEvaluations = 0;    // all of them, those for numerical Jacobians included
  long jacobians = 0;         // Jacobian matrices formed
  long factorisations = 0;    // LU decompositions
  long newtonIterations = 0;  // of all steps together

  friend WorkCounts operator+(const WorkCounts& a, const WorkCounts& b) {
    return {a.steps + b.steps,
            a.rejected + b.rejected,
            a.rhsEvaluations + b.rhsEvaluations,
            a.jacobians + b.jacobians,
            a.factorisations + b.factorisations,
            a.newtonIterations + b.newtonIterations};
  }
};

}  // namespace polhode
