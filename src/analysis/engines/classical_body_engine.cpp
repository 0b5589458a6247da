#include "analysis/engines/classical_body_engine.h"

#include "analysis/engines/body_step_sums.h"
#include "analysis/engines/settings_fit.h"
#include "analysis/formulation.h"
#include "integrate/catalogue.h"
#include "model/suggestion.h"
#include "polhode/error.h"

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

Balance balanceOf(const PrincipalBody& body, double t, const BodyMotion& motion) {
  const PrincipalBody::Sums<double> sums = body.sums<double>(t, motion);
  return {.time = t,
          .kineticEnergy = sums.kineticEnergy,
          .potentialEnergy = sums.potentialEnergy,
          .nodeEnergy = std::nullopt,
          .linearMomentum = sums.linearMomentum,
          .angularMomentum = sums.angularMomentum,
          .centreOfMass = sums.centre,
          .p = {}};
}

Observation observeBody(const PrincipalBody& body, double t, const BodyMotion& motion) {
  Observation o(balanceOf(body, t, motion));
  o.bodies = {body.bodyAt(t, motion)};
  return o;
}

/// Baumgarte's term and formulations that have no form of their own for one body belong to mechanisms, of which one body is
/// one too.
const EngineType ClassicalBodyEngine::type = {
    "classical body",
    "one body as an ordinary differential equation, by the classical integrators",
    {.denseOutput = true},
    [](const Model& model, const SimulationSettings& settings) {
      return PrincipalBody::fits(model) && !settings.baumgarte && hasSingleBody(settings.formulation);
    },
    [](const Model&, const SimulationSettings& settings) { return formulationObstacle(settings); },
    [](const Model& model, const SimulationSettings& settings) -> std::unique_ptr<Engine> {
      return std::make_unique<ClassicalBodyEngine>(model, settings);
    }};

ClassicalBodyEngine::ClassicalBodyEngine(const Model& model, const SimulationSettings& settings)
    : Engine(type.capabilities),
      body_(model),
      system_(makeSingleBody(settings.coordinates, settings.formulation, body_.data(), body_.gravity(),
                             body_.otherForces())),
      stepSums_(makeBodyStepSums(*system_, body_)),
      watch_(model) {
  const IntegratorInfo& integrator = findIntegrator(settings.integrator);
  const Projection projection = projectionNamed(settings.projection);
  system_->setProjection(projection);
  // A multistep code projects within its step, since a replaced state would make it begin anew.
  projectsAfter_ = projection != Projection::none && !integrator.keepsHistory;
  const IntegratorOptions options = integratorOptions(settings);
  const VectorX y = system_->stateOf(body_.initialMotion());
  if (integrator.makeInlined) stepper_ = integrator.makeInlined(*system_, y, settings.end, options);
  if (!stepper_) stepper_ = makeOdeStepper(settings.integrator, *system_, 0.0, y, settings.end, options);
}

Observation ClassicalBodyEngine::observed(double t, const VectorX& y, Detail detail) const {
  Observation o(balance(t, y));
  o.bodies = {body_.bodyAt(t, system_->motionOf(y))};
  watch_.tell(o, detail);
  return o;
}

Balance ClassicalBodyEngine::balance(double t, const VectorX& y) const {
  Balance sums = balanceOf(body_, t, system_->motionOf(y));
  sums.positionViolation = system_->positionViolation(y);
  sums.velocityViolation = system_->velocityViolation(y);
  return sums;
}

}  // namespace polhode
