#include "integrate/sundials_stepper.h"

#include "integrate/archive.h"
#include "sundials_solver.h"

namespace polhode {

SundialsStepper::SundialsStepper(double t0, double tEnd, std::unique_ptr<SundialsSolver> solver)
    : solver_(std::move(solver)), time_(t0), previousTime_(t0), end_(tEnd), state_(solver_->next) {}

SundialsStepper::~SundialsStepper() = default;

void SundialsStepper::step() {
  if (time_ == end_) return;
  if (work_.steps >= solver_->options.mostSteps)
    throw SimulationError(
        time_, fmt::format("bdf has taken {} steps and is only at t = {}; allow more steps or loosen the tolerance",
                           work_.steps, time_));
  double reached = time_;
  const int code = solver_->advance(end_, reached);
  updateWork();
  if (code < 0 || reached == time_) {
    solver_->failure.rethrowIfAhead(time_, end_);
    const std::string cause = code < 0 ? solver_->explain(code)
                                       : "the step has shrunk below the round-off of the time; the solution may be "
                                         "singular here: look at forces that grow without bound";
    throw SimulationError(time_, fmt::format("bdf failed at t = {}: {}", time_, cause));
  }
  previousTime_ = time_;
  time_ = reached;
  state_ = solver_->next;
}

void SundialsStepper::interpolate(double t, VectorX& y) const {
  y = state_;
  if (t == time_) return;
  const auto view = sundials_handles::viewOf(y, solver_->context);
  if (solver_->functions.interpolate(solver_->memory, t, 0, view.get()) != 0)
    throw InputError(fmt::format("t = {} is not within the last step, from {} to {}", t, previousTime_, time_));
}

void SundialsStepper::replaceState(const VectorX& y) {
  solver_->restart(time_, y);
  state_ = solver_->next;
  workBefore_ = work_;
}

void SundialsStepper::persist(Archive& archive) {
  archive.section("bdf");
  archive(time_, previousTime_, state_, work_, solver_->evaluations);
  const long evaluations = solver_->evaluations;
  solver_->restart(time_, state_);
  solver_->evaluations = evaluations;
  state_ = solver_->next;
  workBefore_ = work_;
}

int SundialsStepper::order() const {
  int order = 0;
  solver_->functions.lastOrder(solver_->memory, &order);
  return order;
}

void SundialsStepper::updateWork() {
  const SundialsSolver& s = *solver_;
  const SundialsFunctions& f = s.functions;
  work_.steps = workBefore_.steps + s.count(f.steps);
  work_.rejected = workBefore_.rejected + s.count(f.errorTestFailures) + s.count(f.solverFailures);
  work_.rhsEvaluations = s.evaluations;
  work_.jacobians = workBefore_.jacobians + s.count(f.jacobians);
  work_.factorisations = workBefore_.factorisations + s.count(f.factorisations);
  work_.newtonIterations = workBefore_.newtonIterations + s.count(f.newtonIterations);
}

}  // namespace polhode
