#include "analysis/engines/guided_mechanism_engine.h"

#include "analysis/engines/settings_fit.h"
#include "integrate/archive.h"

#include <fmt/format.h>

namespace polhode {

namespace {

constexpr double shareOfStep = 0.5;  // of a step's acceleration that moves a body in the same step

std::string guidedMechanismObstacle(const Model& model, const SimulationSettings& settings) {
  if (!settings.step)
    return fmt::format("integrator '{}' leads actuators with a fixed step; give one, step = 0.001",
                       settings.integrator);
  for (const Actuator& actuator : model.actuators)
    if (actuator.control.method != "receding-horizon" && actuator.control.method != "critically-damped")
      return fmt::format(
          "actuator '{}' has the method '{}', which is made for linear-implicit-euler; choose that integrator, or the "
          "method 'receding-horizon' or 'critically-damped'",
          actuator.name, actuator.control.method);
  return projectionObstacle(settings);
}

}  // namespace

const EngineType GuidedMechanismEngine::type = {
    "guided mechanism",
    "mechanisms with actuators by the conserving director scheme, with a fixed step",
    {.takesLoads = true, .movesDrives = true, .movesActuators = true},
    [](const Model& model, const SimulationSettings& settings) {
      return !model.actuators.empty() && moves(settings, IntegratorKind::director);
    },
    guidedMechanismObstacle,
    [](const Model& model, const SimulationSettings& settings) -> std::unique_ptr<Engine> {
      return std::make_unique<GuidedMechanismEngine>(model, settings);
    }};

GuidedMechanismEngine::GuidedMechanismEngine(const Model& model, const SimulationSettings& settings)
    : engine_(model, settings),
      hands_(engine_.mechanism(), *settings.step),
      actuation_(model, engine_.mechanism(), shareOfStep),
      loads_(model.bodies.size()),
      wrenches_(model.bodies.size()),
      stepper_(*this) {}

void GuidedMechanismEngine::persist(Archive& archive) {
  engine_.persist(archive);
  archive(hands_, actuation_, loads_);
}

void GuidedMechanismEngine::setLoad(std::size_t body, const Vector3& pointInBody, const Vector3& force,
                                    const Vector3& torque) {
  loads_[body] = BodyLoad(engine_.mechanism().bodies()[body], pointInBody, force, torque);
}

/// What the hands pull with over the next step, and what `setLoad` said, as one wrench on each body.
void GuidedMechanismEngine::pull() {
  const double time = stepper_.time();
  const MechanismMotion motion = MechanismStepper::motionFrom(stepper_.state());
  actuation_.observeUntil(time + hands_.stepper().step());
  hands_.guide(time, motion, actuation_.grips(), actuation_.forces());
  for (std::size_t b = 0; b < wrenches_.size(); ++b) wrenches_[b] = loads_[b].wrench(motion[b].at.D);
  for (std::size_t i = 0; i < actuation_.grips().size(); ++i)
    for (const BodyWrench& part : hands_.wrenchesOf(motion, actuation_.grips()[i], actuation_.forces()[i])) {
      if (part.body == groundIndex) continue;
      wrenches_[static_cast<std::size_t>(part.body)].force += part.wrench.force;
      wrenches_[static_cast<std::size_t>(part.body)].torque += part.wrench.torque;
    }
  for (std::size_t b = 0; b < wrenches_.size(); ++b)
    engine_.setLoad(b, Vector3::Zero(), wrenches_[b].force, wrenches_[b].torque);
}

void GuidedMechanismEngine::GuidedStepper::step() {
  run_.pull();
  ForwardingStepper::step();
}

}  // namespace polhode
