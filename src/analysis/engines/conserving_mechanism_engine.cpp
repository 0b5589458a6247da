#include "analysis/engines/conserving_mechanism_engine.h"

#include "analysis/engines/settings_fit.h"
#include "analysis/mechanism_observation.h"
#include "integrate/archive.h"

#include <algorithm>
#include <cstring>

#include <fmt/format.h>

namespace polhode {

namespace {

constexpr double usualHandStep = 1e-3;  // where steps are chosen

std::string conservingMechanismObstacle(const Model& model, const SimulationSettings& settings) {
  if (!model.actuators.empty() && !settings.step)
    return fmt::format("integrator '{}' leads actuators with a fixed step; give one, step = 0.001",
                       settings.integrator);
  for (const Actuator& actuator : model.actuators)
    if (actuator.control.method != "receding-horizon" && actuator.control.method != "critically-damped")
      return fmt::format(
          "actuator '{}' has the method '{}', which is made for linear-implicit-euler; choose that integrator, or the "
          "method 'receding-horizon' or 'critically-damped'",
          actuator.name, actuator.control.method);
  return ownConstraintsObstacle(settings);
}

}  // namespace

const EngineType ConservingMechanismEngine::type = {
    "conserving mechanism",
    "mechanisms by the conserving director scheme and its compositions",
    {.takesLoads = true, .takesHands = true, .goesOn = true, .movesDrives = true, .couplesJoints = true},
    [](const Model&, const SimulationSettings& settings) { return moves(settings, IntegratorKind::director); },
    conservingMechanismObstacle,
    [](const Model& model, const SimulationSettings& settings) -> std::unique_ptr<Engine> {
      return std::make_unique<ConservingMechanismEngine>(model, settings);
    }};

const EngineType ConservingMechanismEngine::gaussType = {
    "collocated mechanism",
    "mechanisms by Gauss collocation in directors",
    {.takesLoads = true, .goesOn = true, .movesDrives = true},
    [](const Model&, const SimulationSettings& settings) { return moves(settings, IntegratorKind::directorGauss); },
    [](const Model&, const SimulationSettings& settings) { return ownConstraintsObstacle(settings); },
    type.make};

ConservingMechanismEngine::ConservingMechanismEngine(const Model& model, const SimulationSettings& settings)
    : Engine((moves(settings, IntegratorKind::directorGauss) ? gaussType : type).capabilities),
      mechanism_(std::make_shared<const Mechanism>(model)),
      stepper_(makeMechanismStepper(settings.integrator, *mechanism_, settings.end, settings.step, settings.tolerance,
                                    settings.largestStep)),
      hands_(*mechanism_, model.actuators, MechanismStepper::shareOfStep),
      handStep_(settings.step.value_or(usualHandStep)),
      hasFixedSteps_(settings.step.has_value()) {
  stepper_->engine().workWith(settings.threads);
  SimulationSettings better = settings;
  better.integrator = "director-gauss";
  if (!hasFixedSteps_ && settings.integrator == "director-em" && obstacleOf(model, better).empty())
    slowTolerance_ = settings.tolerance;
}

std::string ConservingMechanismEngine::warning() const {
  constexpr long many = 5000;
  const std::string ofStepper = Engine::warning();
  if (slowTolerance_ == 0.0 || stepper_->work().steps < many) return ofStepper;
  return fmt::format(
      "{}{}director-em, which is of order 2, took {} steps for the tolerance of {:.2g}; director-gauss keeps the same "
      "quantities and gets by with far fewer",
      ofStepper, ofStepper.empty() ? "" : "; ", stepper_->work().steps, slowTolerance_);
}

void ConservingMechanismEngine::persist(Archive& archive) {
  Engine::persist(archive);
  archive(watch_);
  if (hands_.hasActuators()) archive(guide(), hands_, pulls_);
}

Observation ConservingMechanismEngine::observed(double t, const VectorX& y, Detail detail) const {
  const MechanismMotion shown = MechanismStepper::motionFrom(y), bodies = stepper_->told(t, shown);
  Observation o = observeMechanism(*mechanism_, t, bodies);
  static_cast<Balance&>(o) = balanceOf(gaps_, t, shown);
  o.work = MechanismStepper::workFrom(y);
  watch_.tell(o, bodies, detail, wrenchesOf(loads_, pulls_, bodies), stepper_->mechanismState().multipliers);
  return o;
}

Balance ConservingMechanismEngine::balance(double t, const VectorX& y) const {
  const std::span<const MovingPlacement> bodies = MechanismStepper::motionIn(y);
  Balance sums = balanceOf(gaps_, t, bodies);
  sums.work = MechanismStepper::workFrom(y);
  watch_.follow(t, bodies);
  return sums;
}

VectorX ConservingMechanismEngine::multipliers(double /*t*/, const VectorX& /*y*/) const {
  return stepper_->mechanismState().multipliers;
}

void ConservingMechanismEngine::goOnFrom(double time, const std::vector<Body>& bodies) {
  stepper_->goOnFrom(time, mechanismMotion(*mechanism_, bodies));
}

void ConservingMechanismEngine::setLoad(std::size_t body, const Vector3& pointInBody, const Vector3& force,
                                        const Vector3& torque) {
  loads_[body] = BodyLoad(mechanism_->bodies()[body], pointInBody, force, torque);
  stepper_->setLoad(body, loads_[body]);
}

SteeredMechanism& ConservingMechanismEngine::guide() {
  if (!guide_) guide_ = std::make_unique<SteeredMechanism>(*mechanism_, handStep_);
  return *guide_;
}

/// What hands pull with over the next step, and what `setLoad` said, as one wrench on each body.
void ConservingMechanismEngine::pull() {
  part_ = 0.0;
  if (hands_.empty() && pulls_.empty()) return;
  const std::vector<MechanismBody>& all = mechanism_->bodies();
  if (hands_.empty()) {  // the last has let go
    pulls_.clear();
    before_.clear();
    for (std::size_t b = 0; b < all.size(); ++b)
      stepper_->engine().setLoad(b, loads_.contains(b) ? loads_[b] : BodyLoad());
    return;
  }
  const double time = stepper_->time();
  const std::span<const MovingPlacement> bodies = MechanismStepper::motionIn(stepper_->state());
  before_.assign(bodies.begin(), bodies.end());
  outside_.clear();
  for (const auto& [body, load] : loads_) outside_.push_back({static_cast<int>(body), load.wrench(bodies[body].at.D)});
  if (hasFixedSteps_) {
    const double left = stepper_->nextTime() - time, next = guide().divide(time, bodies, hands_.all(), left);
    if (next < left) part_ = next;
  }
  hands_.observeUntil(time + guide().stepper().longestStep());
  guide().guide(time, bodies, hands_.all(), outside_);
  pulls_.assign(bodies.size(), {});
  guide_->addPulls(bodies, hands_.all(), pulls_);
  wrenches_ = pulls_;
  for (const BodyWrench& load : outside_) addTo(wrenches_, load);
  for (std::size_t b = 0; b < all.size(); ++b)
    stepper_->engine().setLoad(b, loadOn(static_cast<int>(b), bodies[b].at.D));
}

/// A hand that is still takes away velocities that no joint lets bodies follow. The scheme keeps them for ever, with changing sign:
/// v1 = 2 dx/h - v0, where nothing moves. What they had as energy counts as work.
void ConservingMechanismEngine::calm() {
  const MechanismMotion moving = MechanismStepper::motionFrom(stepper_->state());
  const MechanismMotion fitting = stepper_->engine().fitting(stepper_->time(), moving);
  const double less = kineticEnergy(*mechanism_, moving) - kineticEnergy(*mechanism_, fitting);
  // at rest there is nothing but roundings
  constexpr double seen = 1e-7;  // of the size or radians, in a step
  const double size = mechanismSize(*mechanism_);
  double change = 0.0;
  for (std::size_t b = 0; b < moving.size(); ++b)
    change = std::max(
        {change, (fitting[b].rate.v - moving[b].rate.v).norm() / size, (fitting[b].rate.W - moving[b].rate.W).norm()});
  if (!(less > 0.0 && change * handStep_ > seen)) return;
  VectorX y = stepper_->state();
  std::memcpy(y.data(), fitting.data(), fitting.size() * sizeof(MovingPlacement));
  y[y.size() - 1] -= less;
  stepper_->replaceState(y);
}

/// What acts on a body, D its axes where the step begins: all its force at the point that is pulled hardest, which turns with the
/// body in the step. A torque that stays where it was would spin a slim rod about its axis, as this turns away from under it.
BodyLoad ConservingMechanismEngine::loadOn(int body, const Matrix3& D) const {
  const Wrench& wrench = wrenches_[static_cast<std::size_t>(body)];
  BodyLoad load;
  double hardest = 0.0;
  for (const auto& hand : hands_.all()) {
    const double pull = hand->pull.force.norm();
    if (hand->held().joint >= 0 || hand->held().body != body || !(pull > hardest)) continue;
    hardest = pull;
    load.point = hand->held().point;
  }
  load.force = wrench.force;
  load.torque = wrench.torque - (D * load.point).cross(wrench.force);
  return load;
}

}  // namespace polhode
