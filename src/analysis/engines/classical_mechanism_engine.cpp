#include "analysis/engines/classical_mechanism_engine.h"

#include "analysis/formulation.h"
#include "analysis/mechanism_observation.h"
#include "integrate/archive.h"
#include "math/largest.h"
#include "system/work.h"

#include <algorithm>

#include <fmt/format.h>

namespace polhode {

namespace {

constexpr double nearSingular = 0.02;  // of the strongest that the rows of joints were on the way

}  // namespace

ClassicalMechanismEngine::ClassicalMechanismEngine(std::shared_ptr<const Mechanism> mechanism,
                                                   const SimulationSettings& settings)
    : Engine(type.capabilities),
      mechanism_(std::move(mechanism)),
      redundancy_(*mechanism_),
      closed_(*mechanism_, redundancy_, settings.tolerance),
      integrator_(settings.integrator),
      watch_(mechanism_) {}

void ClassicalMechanismEngine::setStepper(VouchedStepper::Maker make) {
  make_ = std::move(make);
  begin(0.0, initialMotion(*mechanism_));
}

void ClassicalMechanismEngine::goOnFrom(double time, const std::vector<Body>& bodies) {
  begin(time, mechanismMotion(*mechanism_, bodies));
}

void ClassicalMechanismEngine::begin(double time, const MechanismMotion& bodies) {
  storedAtStart_ = storedByWorkers(*mechanism_, bodies);
  MeteredStepper::Quantity power;
  if (hasWorkers(*mechanism_)) power = [this](double t, const VectorX& at) { return this->power(t, at); };
  StepWitness& witness = *this;
  stepper_ = std::make_unique<MeteredStepper>(
      std::make_unique<VouchedStepper>(make_, witness, time, stateOf(time, bodies)), std::move(power));
}

bool ClassicalMechanismEngine::prepare(double t, VectorX& y) {
  if (mechanism_->topology().cutJoints.empty()) return false;
  const bool changed = redundancy_.review(t, motion(t, y));
  seeSingularity(t);
  if (changed) leaveOut(redundancy_.rows(), t, y);
  return changed;
}

bool ClassicalMechanismEngine::remedy(double t, VectorX& y) {
  if (!redundancy_.chooseAnew(t, motion(t, y))) return false;
  leaveOut(redundancy_.rows(), t, y);
  return true;
}

StepWitness::Objection ClassicalMechanismEngine::objection(double t, const VectorX& y) {
  if (!y.allFinite())
    return {
        fmt::format("at t = {:.6g} the state is not finite; look at forces that grow without bound, or give a smaller "
                    "tolerance",
                    t)};
  if (const double off = chartViolation(y); !(off <= closed_.torn()))
    return {
        fmt::format("at t = {:.6g} a body's rotation is none any more: its coordinates are off by {:.3g}; give a "
                    "smaller tolerance, or projection = \"explicit\"",
                    t, off)};
  const MechanismMotion bodies = motion(t, y);
  const ClosedJoints::Verdict verdict = closed_.look(t, bodies);
  if (verdict.state == ClosedJoints::State::closed) return {};
  // rows that part by little may stand where no other choice is better, unless drives contradict each other
  const bool isFatal = verdict.state == ClosedJoints::State::torn || closed_.isContradiction(verdict, t, bodies);
  return {closed_.words(verdict, t, bodies), isFatal};
}

void ClassicalMechanismEngine::seeSingularity(double t) {
  const double now = redundancy_.weakest();
  strongest_ = std::max(strongest_, now);
  if (now < weakest_) {
    weakest_ = now;
    weakestTime_ = t;
  }
}

std::string ClassicalMechanismEngine::warning() const {
  const std::string ofStepper = stepper_->warning();
  if (mechanism_->topology().cutJoints.empty() || weakest_ >= nearSingular * strongest_) return ofStepper;
  return ofStepper + (ofStepper.empty() ? "" : "; ") +
         fmt::format(
             "near t = {:.4g} the mechanism passed a singular position, or nearly, where its joints hardly determine "
             "how it "
             "goes "
             "on; {} may have left the motion there: compare with another tolerance, or with director-em",
             weakestTime_, integrator_);
}

double ClassicalMechanismEngine::power(double t, const VectorX& y) const {
  const MechanismMotion bodies = motion(t, y);
  double sum = powerOfForces(*mechanism_, t, bodies);
  if (mechanism_->isDriven()) sum += powerOfDrives(*mechanism_, t, bodies, pulls(t, y));
  return sum;
}

void ClassicalMechanismEngine::persist(Archive& archive) {
  archive(redundancy_, strongest_, weakest_, weakestTime_);
  if (archive.restores() && !mechanism_->topology().cutJoints.empty()) {
    VectorX y = stepper_->state();
    leaveOut(redundancy_.rows(), stepper_->time(), y);
  }
  Engine::persist(archive);
  archive(watch_);
}

Observation ClassicalMechanismEngine::observed(double t, const VectorX& y, Detail detail) const {
  const MechanismMotion bodies = motion(t, y);
  Observation o = observeMechanism(*mechanism_, t, bodies);
  complete(o, t, y, bodies);
  watch_.tell(o, bodies, detail);
  return o;
}

Balance ClassicalMechanismEngine::balance(double t, const VectorX& y) const {
  const MechanismMotion bodies = motion(t, y);
  Balance sums = balanceOf(gaps_, t, bodies);
  complete(sums, t, y, bodies);
  watch_.follow(t, bodies);
  return sums;
}

void ClassicalMechanismEngine::complete(Balance& sums, double t, const VectorX& y,
                                        const MechanismMotion& bodies) const {
  sums.work = stepper_->integralUntil(t) + storedByWorkers(*mechanism_, bodies) - storedAtStart_;
  sums.positionViolation = largestOrNaN(sums.positionViolation, chartViolation(y));
}

const EngineType ClassicalMechanismEngine::type = {
    "classical mechanism",
    "mechanisms in any formulation by the classical integrators",
    {.goesOn = true, .denseOutput = true, .movesDrives = true, .couplesJoints = true},
    [](const Model&, const SimulationSettings&) { return true; },
    [](const Model&, const SimulationSettings& settings) { return formulationObstacle(settings); },
    [](const Model& model, const SimulationSettings& settings) -> std::unique_ptr<Engine> {
      return makeClassicalMechanismEngine(model, settings);
    }};

std::unique_ptr<ClassicalMechanismEngine> makeClassicalMechanismEngine(const Model& model,
                                                                       const SimulationSettings& settings) {
  return findFormulation(settings.formulation).make(std::make_shared<const Mechanism>(model), settings);
}

}  // namespace polhode
