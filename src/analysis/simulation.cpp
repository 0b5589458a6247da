#include "polhode/analysis/simulation.h"

#include <fmt/format.h>

#include "polhode/error.h"
#include "polhode/integrate/catalogue.h"
#include "polhode/model/suggestion.h"
#include "polhode/system/principal_body.h"
#include "polhode/system/single_body.h"

namespace polhode {

namespace {

Projection projectionNamed(const std::string& name) {
  if (name == "none") return Projection::none;
  if (name == "explicit") return Projection::explicitly;
  if (name == "polar") return Projection::polar;
  throw InputError(fmt::format("there is no projection {}; {}", quoted(name),
                               suggestion(name, {"none", "explicit", "polar"})));
}

IntegratorOptions optionsFor(const SimulationSettings& settings) {
  IntegratorOptions options;
  options.relativeTolerance = options.absoluteTolerance = settings.tolerance;
  if (settings.step) options.initialStep = *settings.step;
  return options;
}

/// One body by a classical integrator, as an ordinary differential equation.
class SingleBodyRun final : public Simulation {
 public:
  SingleBodyRun(const Model& model, const SimulationSettings& settings)
      : body_(model),
        system_(makeSingleBody(settings.coordinates, settings.formulation, body_.data(), body_.gravity(),
                               body_.otherForces())) {
    system_->setProjection(projectionNamed(settings.projection));
    stepper_ = makeOdeStepper(settings.integrator, *system_, 0.0, system_->stateOf(body_.initialMotion()),
                              settings.end, optionsFor(settings));
  }

  Stepper& stepper() override { return *stepper_; }

  Observation observe(double t, const VectorX& y) const override {
    const BodyMotion motion = system_->motionOf(y);
    Observation o;
    o.time = t;
    o.bodies = {body_.bodyAt(t, motion)};
    o.energy = body_.energy(t, motion);
    o.linearMomentum = body_.linearMomentum(t, motion);
    o.angularMomentum = body_.angularMomentum(t, motion);
    o.positionViolation = system_->positionViolation(y);
    o.velocityViolation = system_->velocityViolation(y);
    return o;
  }

  bool project(double t, VectorX& y) const override { return system_->project(t, y); }

 private:
  PrincipalBody body_;
  std::unique_ptr<SingleBodySystem> system_;
  std::unique_ptr<Stepper> stepper_;
};

}  // namespace

std::unique_ptr<Simulation> makeSimulation(const Model& model, const SimulationSettings& settings) {
  findIntegrator(settings.integrator);
  return std::make_unique<SingleBodyRun>(model, settings);
}

}  // namespace polhode
