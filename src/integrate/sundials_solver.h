#pragma once

#include "integrate/stepper.h"
#include "kept_exception.h"
#include "polhode/error.h"
#include "sundials_handles.h"

#include <string>

#include <fmt/format.h>

namespace polhode {

/// What CVODE and IDA do alike, under names of their own.
struct SundialsFunctions {
  using Count = int (*)(void* memory, long* count);

  void (*free)(void** memory);
  int (*interpolate)(void* memory, double t, int derivative, N_Vector result);
  int (*lastOrder)(void* memory, int* order);
  Count steps, errorTestFailures, solverFailures, jacobians, factorisations, newtonIterations;
};

/// A solver of SUNDIALS with dense matrices, the state that it moves, and what its callbacks leave behind. Used by
/// SundialsStepper; one class derived from it for CVODE (bdf.cpp), one for IDA (bdf_dae.cpp).
struct SundialsSolver {
  SundialsSolver(const SundialsFunctions& itsFunctions, const VectorX& y0, const IntegratorOptions& itsOptions)
      : functions(itsFunctions),
        options(itsOptions),
        next(y0),
        nextView(sundials_handles::viewOf(next, context)),
        matrix(SUNDenseMatrix(y0.size(), y0.size(), context)),
        linearSolver(SUNLinSol_Dense(nextView.get(), matrix.get(), context)) {
    if (options.relativeTolerance < 0.0 || options.absoluteTolerance < 0.0)
      throw InputError(
          fmt::format("bdf was given the tolerances {} (relative) and {} (absolute); they must not be negative",
                      options.relativeTolerance, options.absoluteTolerance));
  }
  virtual ~SundialsSolver() { functions.free(&memory); }

  /// One step into `next`, not beyond `end`. Returns the code of SUNDIALS, negative if the step failed.
  virtual int advance(double end, double& reached) = 0;

  /// Begins anew at y with order 1.
  virtual void restart(double t, const VectorX& y) = 0;

  /// What a negative code means, and what to do about it.
  virtual std::string explain(int code) const = 0;

  long count(SundialsFunctions::Count counter) const {
    long result = 0;
    counter(memory, &result);
    return result;
  }

  const SundialsFunctions& functions;
  const IntegratorOptions options;
  sundials_handles::Context context;
  VectorX next;  // the state that the solver returns
  sundials_handles::VectorHandle nextView;
  sundials_handles::MatrixHandle matrix;
  sundials_handles::LinearSolverHandle linearSolver;
  void* memory = nullptr;  // the solver itself
  long evaluations = 0;    // of the system, counted by the callbacks
  KeptException failure;   // of the system, kept by the callbacks
};

}  // namespace polhode
