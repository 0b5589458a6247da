#include "analysis/engines/real_time_engine.h"

#include "analysis/engines/settings_fit.h"
#include "analysis/mechanism_observation.h"
#include "integrate/archive.h"
#include "polhode/error.h"
#include "system/coordinates.h"
#include "system/work.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace polhode {
namespace {

constexpr Eigen::Index perBody = 13;
constexpr double torn = 0.1;      // of the reach: joints open by O(h^2), visibly where steps are long
constexpr double follows = 1e-6;  // rows that are left out follow the others by this at least

/// The step asked for, or one a little shorter of which a whole number reaches the end.
double wholeStep(const SimulationSettings& settings) {
  return settings.end / std::ceil(settings.end / *settings.step * (1.0 - 1e-12));
}

MechanismMotion motionFrom(const VectorX& y) {
  MechanismMotion bodies;
  for (Eigen::Index i = 0; i + perBody <= y.size(); i += perBody) {
    const Matrix3 D = rotationMatrix(Quaternion(y.segment<4>(i + 3)));
    const Vector3 spin = y.segment<3>(i + 10);
    bodies.push_back({{y.segment<3>(i), D}, {y.segment<3>(i + 7), hat<double>(spin) * D}});
  }
  return bodies;
}

}  // namespace

const EngineType RealTimeEngine::type = {
    "real time",
    "mechanisms with actuators by the linear-implicit Euler scheme, with a fixed step",
    {.takesLoads = true, .takesHands = true, .goesOn = true, .movesDrives = true, .couplesJoints = true},
    [](const Model&, const SimulationSettings& settings) { return moves(settings, IntegratorKind::realTime); },
    [](const Model&, const SimulationSettings& settings) {
      if (!settings.step) return fmt::format("integrator '{}' has a fixed step; give one, step = 0.001", integrator);
      return ownConstraintsObstacle(settings);
    },
    [](const Model& model, const SimulationSettings& settings) -> std::unique_ptr<Engine> {
      return std::make_unique<RealTimeEngine>(model, settings);
    }};

RealTimeEngine::RealTimeEngine(const Model& model, const SimulationSettings& settings)
    : Engine(type.capabilities),
      mechanism_(std::make_shared<const Mechanism>(model)),
      hasWorkers_(hasWorkers(*mechanism_)),
      storedAtStart_(storedByWorkers(*mechanism_, initialMotion(*mechanism_))),
      pulls_(VectorX::Zero(mechanism_->rows())),
      steered_(*mechanism_, wholeStep(settings)),
      closed_(*mechanism_, steered_.stepper().redundancy(), follows, torn),
      hands_(*mechanism_, model.actuators, LinearImplicitEuler::shareOfStep),
      stepper_(*this, settings.end) {
  steered_.stepper().endStepsAt(StepBreaks::ofFixedSteps(*mechanism_, settings.end));
}

Observation RealTimeEngine::observed(double t, const VectorX& y, Detail detail) const {
  const MechanismMotion bodies = motionFrom(y);
  Observation o = observeMechanism(*mechanism_, t, bodies);
  o.work = stepper_.workUntil(t) + storedByWorkers(*mechanism_, bodies) - storedAtStart_;
  watch_.tell(o, bodies, detail, wrenchesOf(loads_, handPulls_, bodies));
  return o;
}

/// Of forces at this instant.
double RealTimeEngine::power() const {
  return hasWorkers_ ? powerOfForces(*mechanism_, steered_.stepper().time(), steered_.stepper().bodies()) : 0.0;
}

/// Of what hands and `setLoad` pulled with in the last step, with the present velocities.
double RealTimeEngine::powerOfHands() const {
  const LinearImplicitEuler& stepper = steered_.stepper();
  const auto powerOf = [&](int body, const Wrench& wrench) {
    return wrench.force.dot(stepper.velocity(body)) + wrench.torque.dot(stepper.angularVelocity(body));
  };
  double sum = 0.0;
  for (const BodyWrench& load : wrenches_) sum += powerOf(load.body, load.wrench);
  for (std::size_t b = 0; b < handPulls_.size(); ++b) sum += powerOf(static_cast<int>(b), handPulls_[b]);
  return sum;
}

void RealTimeEngine::goOnFrom(double time, const std::vector<Body>& bodies) {
  stepper_.goOnFrom(time, mechanismMotion(*mechanism_, bodies));
}

void RealTimeEngine::setLoad(std::size_t body, const Vector3& pointInBody, const Vector3& force,
                             const Vector3& torque) {
  loads_[body] = BodyLoad(mechanism_->bodies()[body], pointInBody, force, torque);
}

RealTimeEngine::SteeredStepper::SteeredStepper(RealTimeEngine& run, double end) : run_(run), end_(end) {
  readState();
  previous_ = state_;
}

void RealTimeEngine::SteeredStepper::readState() {
  const LinearImplicitEuler& stepper = run_.steered_.stepper();
  state_.resize(static_cast<Eigen::Index>(stepper.bodies().size()) * perBody);
  for (int b = 0; b < static_cast<int>(stepper.bodies().size()); ++b)
    state_.segment<perBody>(b * perBody) << stepper.bodies()[static_cast<std::size_t>(b)].at.x, stepper.orientation(b),
        stepper.velocity(b), stepper.angularVelocity(b);
}

void RealTimeEngine::SteeredStepper::step() {
  previous_ = state_;
  broughtBefore_ = energyBrought_;
  const LinearImplicitEuler& scheme = run_.steered_.stepper();
  const double end = scheme.undividedEnd();
  do stepPart();
  while (scheme.time() < end);
  ++work_.steps;
  previousTime_ = time_;
  time_ = end_ - scheme.time() < 1e-9 * scheme.step() ? end_ : scheme.time();
  readState();
}

/// A step of the scheme: where somebody pulls, perhaps a part only.
void RealTimeEngine::SteeredStepper::stepPart() {
  SteeredMechanism& steered = run_.steered_;
  steered.divide(run_.hands_.all());
  const double begin = steered.stepper().time(), next = steered.stepper().nextTime();
  run_.hands_.observeUntil(next);
  run_.wrenches_.clear();
  for (const auto& [body, load] : run_.loads_)
    run_.wrenches_.push_back({static_cast<int>(body), load.wrench(steered.stepper().bodies()[body].at.D)});
  steered.stepper().reviewRedundancy();
  const double powerBefore = run_.power();
  steered.advance(run_.hands_.all(), run_.wrenches_);
  run_.handPulls_.assign(run_.hands_.empty() ? 0 : steered.stepper().bodies().size(), {});
  steered.addPulls(steered.stepper().bodies(), run_.hands_.all(), run_.handPulls_);
  requireClosedJoints();
  const double h = steered.stepper().step();
  energyBrought_ += h * (0.5 * (powerBefore + run_.power()) + run_.powerOfHands());
  if (run_.mechanism_->isDriven()) {
    steered.stepper().pulls(run_.pulls_);
    const auto drives = [&](double t) {
      return powerOfDrives(*run_.mechanism_, t, steered.stepper().bodies(), run_.pulls_);
    };
    energyBrought_ += 0.5 * h * (drives(begin) + drives(next));
  }
  ++work_.rhsEvaluations;
  ++work_.factorisations;
}

/// Goes back to before the step where a joint is torn, or drives contradict each other.
void RealTimeEngine::SteeredStepper::requireClosedJoints() {
  LinearImplicitEuler& stepper = run_.steered_.stepper();
  const double t = stepper.time();
  const auto bodies = stepper.bodies();
  const ClosedJoints::Verdict verdict = run_.closed_.look(t, bodies);
  using State = ClosedJoints::State;
  if (verdict.state == State::closed) return;
  if (verdict.state == State::parting && !run_.closed_.isContradiction(verdict, t, bodies)) return;
  const std::string words = run_.closed_.words(verdict, t, bodies);
  stepper.reset(time_, motionFrom(previous_));
  readState();
  throw SimulationError(time_, words);
}

double RealTimeEngine::SteeredStepper::share(double t) const {
  return t < time_ ? std::clamp((t - previousTime_) / (time_ - previousTime_), 0.0, 1.0) : 1.0;
}

double RealTimeEngine::SteeredStepper::workUntil(double t) const {
  return broughtBefore_ + share(t) * (energyBrought_ - broughtBefore_);
}

void RealTimeEngine::SteeredStepper::interpolate(double t, VectorX& y) const {
  const double share = this->share(t);
  y = (1.0 - share) * previous_ + share * state_;
  for (Eigen::Index i = 3; i < y.size(); i += perBody) y.segment<4>(i).normalize();
}

void RealTimeEngine::SteeredStepper::goOnFrom(double time, const MechanismMotion& bodies) {
  time_ = previousTime_ = time;
  run_.steered_.stepper().reset(time, bodies);
  readState();
  previous_ = state_;
}

void RealTimeEngine::SteeredStepper::persist(Archive& archive) {
  archive.section("linear-implicit-euler");
  archive(run_.steered_, run_.hands_, time_, previousTime_, state_, previous_, work_, energyBrought_, broughtBefore_);
}

void RealTimeEngine::SteeredStepper::replaceState(const VectorX& y) {
  run_.steered_.stepper().reset(time_, motionFrom(y));
  readState();
}

}  // namespace polhode
