#include "polhode/analysis/engines/classical_body_engine.h"

#include "polhode/analysis/engines/settings_fit.h"
#include "polhode/error.h"
#include "polhode/integrate/catalogue.h"
#include "polhode/model/suggestion.h"

#include <fmt/format.h>

namespace polhode {

namespace {

Projection projectionNamed(const std::string& name) {
  if (name == "none") return Projection::none;
  if (name == "explicit") return Projection::explicitly;
  if (name == "polar") return Projection::polar;
  throw InputError(
      fmt::format("there is no projection {}; {}", quoted(name), suggestion(name, {"none", "explicit", "polar"})));
}

}  // namespace

Observation observeBody(const PrincipalBody& body, double t, const BodyMotion& motion) {
  Observation o;
  o.time = t;
  o.bodies = {body.bodyAt(t, motion)};
  o.kineticEnergy = body.kineticEnergy(t, motion);
  o.potentialEnergy = body.potentialEnergy(t, motion);
  o.linearMomentum = body.linearMomentum(t, motion);
  o.angularMomentum = body.angularMomentum(t, motion);
  return o;
}

/// Baumgarte's term belongs to mechanisms, of which one body is one too.
const EngineType ClassicalBodyEngine::type = {
    "classical body",
    "one body as an ordinary differential equation, by the classical integrators",
    {.denseOutput = true},
    [](const Model& model, const SimulationSettings& settings) {
      return PrincipalBody::fits(model) && !settings.baumgarte;
    },
    [](const Model&, const SimulationSettings& settings) { return formulationObstacle(settings); },
    [](const Model& model, const SimulationSettings& settings) -> std::unique_ptr<Engine> {
      return std::make_unique<ClassicalBodyEngine>(model, settings);
    }};

ClassicalBodyEngine::ClassicalBodyEngine(const Model& model, const SimulationSettings& settings)
    : body_(model),
      system_(makeSingleBody(settings.coordinates, settings.formulation, body_.data(), body_.gravity(),
                             body_.otherForces())),
      watch_(model) {
  const Projection projection = projectionNamed(settings.projection);
  system_->setProjection(projection);
  // A multistep code projects within its step, since a replaced state would make it begin anew.
  projectsWithin_ = settings.integrator == "bdf" && projection != Projection::none;
  stepper_ = makeOdeStepper(settings.integrator, *system_, 0.0, system_->stateOf(body_.initialMotion()), settings.end,
                            integratorOptions(settings));
}

Observation ClassicalBodyEngine::observed(double t, const VectorX& y, Detail detail) const {
  Observation o = observeBody(body_, t, system_->motionOf(y));
  o.positionViolation = system_->positionViolation(y);
  o.velocityViolation = system_->velocityViolation(y);
  watch_.tell(o, detail);
  return o;
}

}  // namespace polhode
