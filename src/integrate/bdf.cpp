#include "integrate/bdf.h"

#include "sundials_solver.h"

#include <cmath>

#include <cvode/cvode.h>
#include <cvode/cvode_ls.h>
#include <cvode/cvode_proj.h>

namespace polhode {

using namespace sundials_handles;

namespace {

constexpr SundialsFunctions cvodeFunctions{.free = CVodeFree,
                                           .interpolate = CVodeGetDky,
                                           .lastOrder = CVodeGetLastOrder,
                                           .steps = CVodeGetNumSteps,
                                           .errorTestFailures = CVodeGetNumErrTestFails,
                                           .solverFailures = CVodeGetNumStepSolveFails,
                                           .jacobians = CVodeGetNumJacEvals,
                                           .factorisations = CVodeGetNumLinSolvSetups,
                                           .newtonIterations = CVodeGetNumNonlinSolvIters};

struct CvodeSolver final : SundialsSolver {
  CvodeSolver(const OdeSystem& system, double t0, const VectorX& y0, double tEnd, const IntegratorOptions& itsOptions,
              Bdf::Projection projection);

  static int derivative(double t, N_Vector yNow, N_Vector result, void* self) {
    CvodeSolver& s = *static_cast<CvodeSolver*>(self);
    ++s.evaluations;
    return s.failure.guard(t, [&] {
      s.y = eigen(yNow);
      s.ode.derivative(t, s.y, s.dydt);
      eigen(result) = s.dydt;
      return s.dydt.allFinite();
    });
  }

  static int project(double t, N_Vector yNow, N_Vector correction, double, N_Vector, void* self) {
    CvodeSolver& s = *static_cast<CvodeSolver*>(self);
    return s.failure.guard(t, [&] {
      s.y = eigen(yNow);
      s.ode.project(t, s.y);
      eigen(correction) = s.y - eigen(yNow);
      return s.y.allFinite();
    });
  }

  int advance(double end, double& reached) override {
    CVodeSetStopTime(memory, end);
    return CVode(memory, end, nextView.get(), &reached, CV_ONE_STEP);
  }

  void restart(double t, const VectorX& yNow) override {
    next = yNow;
    CVodeReInit(memory, t, nextView.get());
  }

  std::string explain(int code) const override;

  const OdeSystem& ode;
  VectorX y, dydt;  // what the system is called with
};

CvodeSolver::CvodeSolver(const OdeSystem& system, double t0, const VectorX& y0, double tEnd,
                         const IntegratorOptions& itsOptions, Bdf::Projection projection)
    : SundialsSolver(cvodeFunctions, y0, itsOptions), ode(system), y(VectorX::Zero(y0.size())), dydt(y) {
  memory = CVodeCreate(CV_BDF, context);
  CVodeSetErrHandlerFn(memory, &ignoreMessage, nullptr);
  CVodeInit(memory, &CvodeSolver::derivative, t0, nextView.get());
  CVodeSetUserData(memory, this);
  CVodeSetLinearSolver(memory, linearSolver.get(), matrix.get());
  if (projection == Bdf::Projection::everyStep) {
    CVodeSetProjFn(memory, &CvodeSolver::project);
    CVodeSetProjErrEst(memory, SUNFALSE);
  }
  CVodeSStolerances(memory, options.relativeTolerance, options.absoluteTolerance);
  CVodeSetInitStep(memory, std::copysign(options.initialStep, tEnd - t0));
  CVodeSetMaxStep(memory, options.largestStep);
}

std::string CvodeSolver::explain(int code) const {
  switch (code) {
    case CV_TOO_MUCH_ACC:
      return "the tolerance is below round-off; loosen it";
    case CV_ERR_FAILURE:
      return "the error test failed again and again, or with the smallest step; the solution may be singular "
             "here: look at forces that jump or grow without bound, or loosen the tolerance";
    case CV_CONV_FAILURE:
      return "Newton's method did not converge with the smallest step; the right-hand side may jump here: "
             "loosen the tolerance or stop and restart at the jump";
    case CV_LSETUP_FAIL:
      return "the Jacobian could not be formed; check the forces for values that are not finite";
    case CV_FIRST_RHSFUNC_ERR:
    case CV_REPTD_RHSFUNC_ERR:
    case CV_UNREC_RHSFUNC_ERR:
    case CV_RHSFUNC_FAIL:
      return "the right-hand side is not finite; check the forces and the initial value";
    case CV_PROJFUNC_FAIL:
    case CV_REPTD_PROJFUNC_ERR:
      return "the state could not be projected onto the constraints; tighten the tolerance";
    default:
      return fmt::format("CVODE gave up with code {}", code);
  }
}

}  // namespace

Bdf::Bdf(const OdeSystem& ode, double t0, const VectorX& y0, double tEnd, const IntegratorOptions& options,
         Projection projection)
    : SundialsStepper(t0, tEnd, std::make_unique<CvodeSolver>(ode, t0, y0, tEnd, options, projection)) {}

}  // namespace polhode
