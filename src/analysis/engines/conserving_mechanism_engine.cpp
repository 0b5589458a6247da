#include "analysis/engines/conserving_mechanism_engine.h"

#include "analysis/engines/settings_fit.h"
#include "analysis/mechanism_observation.h"
#include "integrate/archive.h"

namespace polhode {

const EngineType ConservingMechanismEngine::type = {
    "conserving mechanism",
    "mechanisms by the conserving director scheme and its compositions",
    {.takesLoads = true, .goesOn = true, .movesDrives = true},
    [](const Model&, const SimulationSettings& settings) { return moves(settings, IntegratorKind::director); },
    [](const Model&, const SimulationSettings& settings) { return projectionObstacle(settings); },
    [](const Model& model, const SimulationSettings& settings) -> std::unique_ptr<Engine> {
      return std::make_unique<ConservingMechanismEngine>(model, settings);
    }};

ConservingMechanismEngine::ConservingMechanismEngine(const Model& model, const SimulationSettings& settings)
    : mechanism_(std::make_shared<const Mechanism>(model)) {
  stepper_ = makeMechanismStepper(settings.integrator, *mechanism_, settings.end, settings.step, settings.tolerance,
                                  settings.largestStep);
}

void ConservingMechanismEngine::persist(Archive& archive) {
  Engine::persist(archive);
  archive(watch_);
}

Observation ConservingMechanismEngine::observed(double t, const VectorX& y, Detail detail) const {
  const MechanismMotion bodies = MechanismStepper::motionFrom(y);
  Observation o = observeMechanism(*mechanism_, t, bodies);
  o.work = MechanismStepper::workFrom(y);
  watch_.tell(o, bodies, detail, wrenchesOf(loads_, bodies), stepper_->mechanismState().multipliers);
  return o;
}

Balance ConservingMechanismEngine::balance(double t, const VectorX& y) const {
  const std::span<const MovingPlacement> bodies = MechanismStepper::motionIn(y);
  Balance sums = balanceOf(*mechanism_, t, bodies);
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

void ConservingMechanismEngine::readMotion(MechanismMotion& motion) const {
  motion = stepper_->mechanismState().bodies;
}

void ConservingMechanismEngine::setLoad(std::size_t body, const Vector3& pointInBody, const Vector3& force,
                                        const Vector3& torque) {
  loads_[body] = BodyLoad(mechanism_->bodies()[body], pointInBody, force, torque);
  stepper_->engine().setLoad(body, loads_[body]);
}

}  // namespace polhode
