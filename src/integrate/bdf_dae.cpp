#include "integrate/bdf_dae.h"

#include "sundials_solver.h"

#include <cmath>

#include <ida/ida.h>
#include <ida/ida_ls.h>

namespace polhode {

using namespace sundials_handles;

namespace {

constexpr SundialsFunctions idaFunctions{.free = IDAFree,
                                         .interpolate = IDAGetDky,
                                         .lastOrder = IDAGetLastOrder,
                                         .steps = IDAGetNumSteps,
                                         .errorTestFailures = IDAGetNumErrTestFails,
                                         .solverFailures = IDAGetNumStepSolveFails,
                                         .jacobians = IDAGetNumJacEvals,
                                         .factorisations = IDAGetNumLinSolvSetups,
                                         .newtonIterations = IDAGetNumNonlinSolvIters};

struct IdaSolver final : SundialsSolver {
  IdaSolver(const DaeSystem& system, double t0, const VectorX& y0, double tEnd, const IntegratorOptions& itsOptions);

  static int residual(double t, N_Vector yNow, N_Vector ydotNow, N_Vector result, void* self) {
    IdaSolver& s = *static_cast<IdaSolver*>(self);
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
    const IdaSolver& s = *static_cast<IdaSolver*>(self);
    const double h = std::min(1.0, std::abs(s.stepToCome()));
    const auto values = eigen(yNow);
    auto weight = eigen(result);
    for (int i = 0; i < values.size(); ++i)
      weight[i] = std::pow(h, s.componentIndex[i] - 1) /
                  (s.options.relativeTolerance * std::abs(values[i]) + s.options.absoluteTolerance);
    return weight.allFinite() ? 0 : -1;
  }

  double stepToCome() const {
    double h = firstStep;
    if (count(functions.steps) > 0) IDAGetCurrentStep(memory, &h);
    return h;
  }

  int advance(double tEnd, double& reached) override {
    IDASetStopTime(memory, tEnd);
    const auto solve = [&] {
      return IDASolve(memory, tEnd, &reached, nextView.get(), nextDerivativeView.get(), IDA_ONE_STEP);
    };
    int code = solve();
    // Where forces set in, multipliers change from the first instant on, faster than the motion from which the first step
    // was chosen. IDA shortens a step ten times at most; then it begins again with a much shorter one.
    for (int again = 0; again < 3 && code == IDA_ERR_FAIL && count(functions.steps) == 0; ++again) {
      const double shorter = 1e-4 * firstStep;
      restart(reached, VectorX(next));
      firstStep = shorter;
      IDASetInitStep(memory, firstStep);
      code = solve();
    }
    return code;
  }

  void restart(double t, const VectorX& yNow) override {
    next = yNow;
    dae.complete(t, next, nextDerivative);
    IDAReInit(memory, t, nextView.get(), nextDerivativeView.get());
    chooseFirstStep(t);
  }

  void chooseFirstStep(double t);
  std::string explain(int code) const override;

  const DaeSystem& dae;
  const double end;
  const std::vector<int> componentIndex;
  double firstStep = 0.0;
  VectorX y, ydot, residualValue;  // what the system is called with
  VectorX nextDerivative;          // what IDA returns beside the state
  VectorHandle nextDerivativeView;
};

IdaSolver::IdaSolver(const DaeSystem& system, double t0, const VectorX& y0, double tEnd,
                     const IntegratorOptions& itsOptions)
    : SundialsSolver(idaFunctions, y0, itsOptions),
      dae(system),
      end(tEnd),
      componentIndex(system.componentIndex()),
      y(VectorX::Zero(y0.size())),
      ydot(y),
      residualValue(y),
      nextDerivative(y),
      nextDerivativeView(viewOf(nextDerivative, context)) {
  dae.complete(t0, next, nextDerivative);

  memory = IDACreate(context);
  IDASetErrHandlerFn(memory, &ignoreMessage, nullptr);
  IDAInit(memory, &IdaSolver::residual, t0, nextView.get(), nextDerivativeView.get());
  IDASetUserData(memory, this);
  IDASetLinearSolver(memory, linearSolver.get(), matrix.get());
  IDAWFtolerances(memory, &IdaSolver::weights);
  IDASetMaxStep(memory, options.largestStep);
  chooseFirstStep(t0);

  const std::vector<bool> differential = dae.differential();
  VectorX id(y0.size());
  for (int i = 0; i < id.size(); ++i) id[i] = differential[i] ? 1.0 : 0.0;
  IDASetId(memory, viewOf(id, context).get());
  IDASetSuppressAlg(memory, dae.index() >= 2);
}

/// IDA's own rule, with the tolerances that do not depend on the step yet: h = 0.5/|y'|, a thousandth of the
/// interval at most.
void IdaSolver::chooseFirstStep(double t) {
  double h = options.initialStep;
  if (h == 0.0) {
    const VectorX tolerance = (options.relativeTolerance * next.cwiseAbs()).array() + options.absoluteTolerance;
    const double rate = nextDerivative.cwiseQuotient(tolerance).norm() / std::sqrt(double(next.size()));
    h = 1e-3 * std::abs(end - t);
    if (rate * h > 0.5) h = 0.5 / rate;
  }
  firstStep = std::copysign(h, end - t);
  IDASetInitStep(memory, firstStep);
}

/// What helps when steps fail, for a formulation of this index.
std::string remedyOfIndex(int index) {
  switch (index) {
    case 3:
      return "index-3 works with tolerances from about 1e-5 to 3e-12; use another one there, or index-2, ggl or "
             "the null-space formulation";
    case 2:
      return "loosen the tolerance, or use the null-space formulation";
    default:
      return "loosen the tolerance (index-1 works down to about 3e-12), or use ggl or the null-space "
             "formulation";
  }
}

std::string IdaSolver::explain(int code) const {
  switch (code) {
    case IDA_TOO_MUCH_ACC:
      return "the tolerance is below round-off; loosen it";
    case IDA_ERR_FAIL:
      return "the error test failed again and again, or with the smallest step; " + remedyOfIndex(dae.index());
    case IDA_CONV_FAIL:
      return "Newton's method did not converge with the smallest step; " + remedyOfIndex(dae.index());
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
      return fmt::format("IDA gave up with code {}", code);
  }
}

}  // namespace

BdfDae::BdfDae(const DaeSystem& dae, double t0, const VectorX& y0, double tEnd, const IntegratorOptions& options)
    : SundialsStepper(t0, tEnd, std::make_unique<IdaSolver>(dae, t0, y0, tEnd, options)) {}

}  // namespace polhode
