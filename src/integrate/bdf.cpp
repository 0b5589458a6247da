#include "polhode/integrate/bdf.h"

#include "polhode/error.h"

#include <cmath>

#include "kept_exception.h"
#include "sundials_handles.h"
#include <cvode/cvode.h>
#include <cvode/cvode_ls.h>
#include <cvode/cvode_proj.h>
#include <fmt/format.h>

namespace polhode {

using namespace sundials_handles;

struct Bdf::Solver {
  explicit Solver(const OdeSystem& system)
      : ode(system), y(VectorX::Zero(system.size())), dydt(y), next(y), nextView(viewOf(next, context)) {}
  ~Solver() { CVodeFree(&memory); }

  static int derivative(double t, N_Vector yNow, N_Vector result, void* self) {
    Solver& s = *static_cast<Solver*>(self);
    ++s.evaluations;
    return s.failure.guard(t, [&] {
      s.y = eigen(yNow);
      s.ode.derivative(t, s.y, s.dydt);
      eigen(result) = s.dydt;
      return s.dydt.allFinite();
    });
  }

  static int project(double t, N_Vector yNow, N_Vector correction, double, N_Vector, void* self) {
    Solver& s = *static_cast<Solver*>(self);
    return s.failure.guard(t, [&] {
      s.y = eigen(yNow);
      s.ode.project(t, s.y);
      eigen(correction) = s.y - eigen(yNow);
      return s.y.allFinite();
    });
  }

  const OdeSystem& ode;
  Context context;
  VectorX y, dydt;  // what the system is called with
  VectorX next;     // the state that CVODE returns
  VectorHandle nextView;
  MatrixHandle matrix;
  LinearSolverHandle linearSolver;
  void* memory = nullptr;
  long evaluations = 0;
  KeptException failure;
};

namespace {

/// What a return code of CVode() means, and what to do about it.
std::string explain(int flag) {
  switch (flag) {
    case CV_SUCCESS:
      return "the step has shrunk below the round-off of the time; the solution may be singular here: look "
             "at forces that "
             "grow without bound";
    case CV_TOO_MUCH_ACC:
      return "the tolerance is below round-off; loosen it";
    case CV_ERR_FAILURE:
      return "the error test failed again and again, or with the smallest step; the solution may be singular "
             "here: look "
             "at forces that jump or grow without bound, or loosen the tolerance";
    case CV_CONV_FAILURE:
      return "Newton's method did not converge with the smallest step; the right-hand side may jump here: "
             "loosen the "
             "tolerance or stop and restart at the jump";
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
      return fmt::format("CVODE gave up with code {}", flag);
  }
}

}  // namespace

Bdf::Bdf(const OdeSystem& ode, double t0, const VectorX& y0, double tEnd, const IntegratorOptions& options,
         Projection projection)
    : time_(t0), previousTime_(t0), end_(tEnd), state_(y0), options_(options), solver_(std::make_unique<Solver>(ode)) {
  Solver& s = *solver_;
  s.next = y0;
  s.matrix.reset(SUNDenseMatrix(y0.size(), y0.size(), s.context));
  s.linearSolver.reset(SUNLinSol_Dense(s.nextView.get(), s.matrix.get(), s.context));
  s.memory = CVodeCreate(CV_BDF, s.context);
  CVodeSetErrHandlerFn(s.memory, &ignoreMessage, nullptr);
  CVodeInit(s.memory, &Solver::derivative, t0, s.nextView.get());
  CVodeSetUserData(s.memory, &s);
  CVodeSetLinearSolver(s.memory, s.linearSolver.get(), s.matrix.get());
  if (projection == Projection::everyStep) {
    CVodeSetProjFn(s.memory, &Solver::project);
    CVodeSetProjErrEst(s.memory, SUNFALSE);
  }

  if (CVodeSStolerances(s.memory, options.relativeTolerance, options.absoluteTolerance) != CV_SUCCESS)
    throw InputError(
        fmt::format("bdf was given the tolerances {} (relative) and {} (absolute); they must not be negative",
                    options.relativeTolerance, options.absoluteTolerance));
  CVodeSetInitStep(s.memory, std::copysign(options.initialStep, tEnd - t0));
  CVodeSetMaxStep(s.memory, options.largestStep);
}

Bdf::~Bdf() = default;

void Bdf::step() {
  if (time_ == end_) return;
  if (work_.steps >= options_.mostSteps)
    throw SimulationError(time_,
                          fmt::format("bdf has taken {} steps and is only at t = {}; allow more steps or loosen the "
                                      "tolerance",
                                      work_.steps, time_));
  Solver& s = *solver_;
  double reached = time_;
  CVodeSetStopTime(s.memory, end_);
  const int flag = CVode(s.memory, end_, s.nextView.get(), &reached, CV_ONE_STEP);
  updateWork();
  if (flag < 0 || reached == time_) {
    s.failure.rethrowIfAhead(time_, end_);
    throw SimulationError(time_, fmt::format("bdf failed at t = {}: {}", time_, explain(flag)));
  }
  previousTime_ = time_;
  time_ = reached;
  state_ = s.next;
}

void Bdf::interpolate(double t, VectorX& y) const {
  y = state_;
  if (t == time_) return;
  const VectorHandle view = viewOf(y, solver_->context);
  if (CVodeGetDky(solver_->memory, t, 0, view.get()) != CV_SUCCESS)
    throw InputError(fmt::format("t = {} is not within the last step, from {} to {}", t, previousTime_, time_));
}

void Bdf::replaceState(const VectorX& y) {
  state_ = y;
  solver_->next = y;
  workBefore_ = work_;
  CVodeReInit(solver_->memory, time_, solver_->nextView.get());
}

int Bdf::order() const {
  int order = 0;
  CVodeGetLastOrder(solver_->memory, &order);
  return order;
}

void Bdf::updateWork() {
  void* memory = solver_->memory;
  long steps = 0, errorFailures = 0, solveFailures = 0, jacobians = 0, setups = 0, iterations = 0;
  CVodeGetNumSteps(memory, &steps);
  CVodeGetNumErrTestFails(memory, &errorFailures);
  CVodeGetNumStepSolveFails(memory, &solveFailures);
  CVodeGetNumJacEvals(memory, &jacobians);
  CVodeGetNumLinSolvSetups(memory, &setups);
  CVodeGetNumNonlinSolvIters(memory, &iterations);
  work_.steps = workBefore_.steps + steps;
  work_.rejected = workBefore_.rejected + errorFailures + solveFailures;
  work_.rhsEvaluations = solver_->evaluations;
  work_.jacobians = workBefore_.jacobians + jacobians;
  work_.factorisations = workBefore_.factorisations + setups;
  work_.newtonIterations = workBefore_.newtonIterations + iterations;
}

}  // namespace polhode
