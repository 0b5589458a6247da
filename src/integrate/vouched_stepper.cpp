#include "integrate/vouched_stepper.h"

#include "integrate/archive.h"
#include "polhode/error.h"

#include <exception>

namespace polhode {

namespace {

constexpr int mostRemedies = 3;  // of one step

void add(const WorkCounts& more, WorkCounts& sum) {
  sum.steps += more.steps;
  sum.rejected += more.rejected;
  sum.rhsEvaluations += more.rhsEvaluations;
  sum.jacobians += more.jacobians;
  sum.factorisations += more.factorisations;
  sum.newtonIterations += more.newtonIterations;
}

}  // namespace

VouchedStepper::VouchedStepper(Maker make, StepWitness& witness, double t, const VectorX& y)
    : make_(std::move(make)), witness_(witness), stepper_(make_(t, y)), madeAt_(t), madeFrom_(y) {}

void VouchedStepper::step() {
  begin_ = stepper_->state();
  const double t = stepper_->time();
  if (witness_.prepare(t, begin_)) stepper_->replaceState(begin_);
  for (int remedies = 0;; ++remedies) {
    std::exception_ptr failure;
    StepWitness::Objection objection;
    try {
      stepper_->step();
      objection = witness_.objection(stepper_->time(), stepper_->state());
      if (objection.sentence.empty()) return;
    } catch (const SimulationError&) {
      failure = std::current_exception();
    }
    const bool helps = remedies < mostRemedies && witness_.remedy(t, begin_);
    if (failure && !helps) std::rethrow_exception(failure);
    if (!failure && !helps && !objection.isFatal) return;
    goBack(t, begin_);
    if (!helps) throw SimulationError(t, objection.sentence);
  }
}

/// The state before the step, by a new stepper.
void VouchedStepper::goBack(double t, const VectorX& y) {
  add(stepper_->work(), before_);
  if (stepper_->time() > t) {
    --before_.steps;
    ++before_.rejected;
  }
  stepper_ = make_(t, y);
  madeAt_ = t;
  madeFrom_ = y;
}

void VouchedStepper::persist(Archive& archive) {
  archive.section("vouched");
  archive(before_, madeAt_, madeFrom_);
  if (archive.restores()) stepper_ = make_(madeAt_, madeFrom_);
  stepper_->persist(archive);
}

const WorkCounts& VouchedStepper::work() const {
  work_ = stepper_->work();
  add(before_, work_);
  return work_;
}

}  // namespace polhode
