#include "polhode/integrate/bdf_dae.h"

#include "polhode/error.h"

#include <cmath>

#include "kept_exception.h"
#include "sundials_handles.h"
#include <fmt/format.h>
#include <ida/ida.h>
#include <ida/ida_ls.h>

namespace polhode {

using namespace sundials_handles;

struct BdfDae::Solver {
  Solver(const DaeSystem& system, const IntegratorOptions& tolerances)
      : dae(system),
        options(tolerances),
        componentIndex(system.componentIndex()),
        y(VectorX::Zero(system.size())),
        ydot(y),
        residualValue(y),
        next(y),
        nextDerivative(y),
        nextView(viewOf(next, context)),
        nextDerivativeView(viewOf(nextDerivative, context)) {}
  ~Solver() { IDAFree(&memory); }

  static int residual(double t, N_Vector yNow, N_Vector ydotNow, N_Vector result, void* self) {
    Solver& s = *static_cast<Solver*>(self);
    ++s.evaluations;
    return s.failure.guard(t, [&] {
      s.y = eigen(yNow);
      s.ydot = eigen(ydotNow);
      s.dae.residual(t, s.y, s.ydot, s.residualValue);
      eigen(result) = s.residualValue;
      return s.residualValue.allFinite();
    });
  }

  // h^(k-1) / (rtol |y| + atol), asked for at the beginning of each step.
  static int weights(N_Vector yNow, N_Vector result, void* self) {
    Solver& s = *static_cast<Solver*>(self);
    const double h = std::min(1.0, std::abs(s.stepToCome()));
    const auto values = eigen(yNow);
    auto weight = eigen(result);
    for (int i = 0; i < values.size(); ++i)
      weight[i] = std::pow(h, s.componentIndex[i] - 1) /
                  (s.options.relativeTolerance * std::abs(values[i]) + s.options.absoluteTolerance);
    return weight.allFinite() ? 0 : -1;
  }

  double stepToCome() const {
    long steps = 0;
    double h = firstStep;
    IDAGetNumSteps(memory, &steps);
    if (steps > 0) IDAGetCurrentStep(memory, &h);
    return h;
  }

  const DaeSystem& dae;
  const IntegratorOptions& options;
  const std::vector<int> componentIndex;
  double firstStep = 0.0;
  Context context;
  VectorX y, ydot, residualValue;  // what the system is called with
  VectorX next, nextDerivative;    // what IDA returns
  VectorHandle nextView, nextDerivativeView;
  MatrixHandle matrix;
  LinearSolverHandle linearSolver;
  void* memory = nullptr;
  long evaluations = 0;
  KeptException failure;
};

namespace {

/// What helps when steps fail, for a formulation of this index.
std::string remedy(int index) {
  switch (index) {
    case 3:
      return "index-3 works with tolerances from about 1e-5 to 3e-12; use another one there, or "
             "index-2, ggl or the "
             "null-space formulation";
    case 2:
      return "loosen the tolerance, or use the null-space formulation";
    default:
      return "loosen the tolerance (index-1 works down to about 3e-12), or use ggl or the null-space "
             "formulation";
  }
}

/// What a return code of IDASolve() means, and what to do about it.
std::string explain(int flag, int index) {
  switch (flag) {
    case IDA_SUCCESS:
      return "the step has shrunk below the round-off of the time; the solution may be singular here: look "
             "at forces that "
             "grow without bound";
    case IDA_TOO_MUCH_ACC:
      return "the tolerance is below round-off; loosen it";
    case IDA_ERR_FAIL:
      return "the error test failed again and again, or with the smallest step; " + remedy(index);
    case IDA_CONV_FAIL:
      return "Newton's method did not converge with the smallest step; " + remedy(index);
    case IDA_LSETUP_FAIL:
    case IDA_LSOLVE_FAIL:
      return "the Jacobian is singular or not finite; look for redundant constraints and for directions "
             "without mass";
    case IDA_RES_FAIL:
    case IDA_REP_RES_ERR:
    case IDA_FIRST_RES_FAIL:
      return "the equations are not finite; check the forces and the initial value";
    case IDA_BAD_EWT:
    case IDA_ILL_INPUT:
      return "the tolerance of a component that is zero is zero; give a positive absolute tolerance";
    default:
      return fmt::format("IDA gave up with code {}", flag);
  }
}

}  // namespace

BdfDae::BdfDae(const DaeSystem& dae, double t0, const VectorX& y0, double tEnd, const IntegratorOptions& options)
    : time_(t0),
      previousTime_(t0),
      end_(tEnd),
      state_(y0),
      options_(options),
      solver_(std::make_unique<Solver>(dae, options_)) {
  if (options.relativeTolerance < 0.0 || options.absoluteTolerance < 0.0)
    throw InputError(
        fmt::format("bdf was given the tolerances {} (relative) and {} (absolute); they must not be negative",
                    options.relativeTolerance, options.absoluteTolerance));
  Solver& s = *solver_;
  dae.complete(t0, state_, s.nextDerivative);
  s.next = state_;

  s.matrix.reset(SUNDenseMatrix(y0.size(), y0.size(), s.context));
  s.linearSolver.reset(SUNLinSol_Dense(s.nextView.get(), s.matrix.get(), s.context));
  s.memory = IDACreate(s.context);
  IDASetErrHandlerFn(s.memory, &ignoreMessage, nullptr);
  IDAInit(s.memory, &Solver::residual, t0, s.nextView.get(), s.nextDerivativeView.get());
  IDASetUserData(s.memory, &s);
  IDASetLinearSolver(s.memory, s.linearSolver.get(), s.matrix.get());
  IDAWFtolerances(s.memory, &Solver::weights);
  IDASetMaxStep(s.memory, options.largestStep);
  chooseFirstStep();

  const std::vector<bool> differential = dae.differential();
  VectorX id(y0.size());
  for (int i = 0; i < id.size(); ++i) id[i] = differential[i] ? 1.0 : 0.0;
  IDASetId(s.memory, viewOf(id, s.context).get());
  IDASetSuppressAlg(s.memory, dae.index() >= 2);
}

BdfDae::~BdfDae() = default;

/// IDA's own rule, with the tolerances that do not depend on the step yet: h = 0.5/|y'|, a thousandth of the
/// interval at most.
void BdfDae::chooseFirstStep() {
  Solver& s = *solver_;
  double h = options_.initialStep;
  if (h == 0.0) {
    const VectorX tolerance = (options_.relativeTolerance * state_.cwiseAbs()).array() + options_.absoluteTolerance;
    const double rate = s.nextDerivative.cwiseQuotient(tolerance).norm() / std::sqrt(double(state_.size()));
    h = 1e-3 * std::abs(end_ - time_);
    if (rate * h > 0.5) h = 0.5 / rate;
  }
  s.firstStep = std::copysign(h, end_ - time_);
  IDASetInitStep(s.memory, s.firstStep);
}

void BdfDae::step() {
  if (time_ == end_) return;
  if (work_.steps >= options_.mostSteps)
    throw SimulationError(time_,
                          fmt::format("bdf has taken {} steps and is only at t = {}; allow more steps or loosen the "
                                      "tolerance",
                                      work_.steps, time_));
  Solver& s = *solver_;
  double reached = time_;
  IDASetStopTime(s.memory, end_);
  const int flag = IDASolve(s.memory, end_, &reached, s.nextView.get(), s.nextDerivativeView.get(), IDA_ONE_STEP);
  updateWork();
  if (flag < 0 || reached == time_) {
    s.failure.rethrowIfAhead(time_, end_);
    throw SimulationError(time_, fmt::format("bdf failed at t = {}: {}", time_, explain(flag, s.dae.index())));
  }
  previousTime_ = time_;
  time_ = reached;
  state_ = s.next;
}

void BdfDae::interpolate(double t, VectorX& y) const {
  y = state_;
  if (t == time_) return;
  const VectorHandle view = viewOf(y, solver_->context);
  if (IDAGetDky(solver_->memory, t, 0, view.get()) != IDA_SUCCESS)
    throw InputError(fmt::format("t = {} is not within the last step, from {} to {}", t, previousTime_, time_));
}

void BdfDae::replaceState(const VectorX& y) {
  Solver& s = *solver_;
  state_ = y;
  s.dae.complete(time_, state_, s.nextDerivative);
  s.next = state_;
  workBefore_ = work_;
  IDAReInit(s.memory, time_, s.nextView.get(), s.nextDerivativeView.get());
  chooseFirstStep();
}

int BdfDae::order() const {
  int order = 0;
  IDAGetLastOrder(solver_->memory, &order);
  return order;
}

void BdfDae::updateWork() {
  void* memory = solver_->memory;
  long steps = 0, errorFailures = 0, solveFailures = 0, jacobians = 0, setups = 0, iterations = 0;
  IDAGetNumSteps(memory, &steps);
  IDAGetNumErrTestFails(memory, &errorFailures);
  IDAGetNumStepSolveFails(memory, &solveFailures);
  IDAGetNumJacEvals(memory, &jacobians);
  IDAGetNumLinSolvSetups(memory, &setups);
  IDAGetNumNonlinSolvIters(memory, &iterations);
  work_.steps = workBefore_.steps + steps;
  work_.rejected = workBefore_.rejected + errorFailures + solveFailures;
  work_.rhsEvaluations = solver_->evaluations;
  work_.jacobians = workBefore_.jacobians + jacobians;
  work_.factorisations = workBefore_.factorisations + setups;
  work_.newtonIterations = workBefore_.newtonIterations + iterations;
}

}  // namespace polhode
