#include "analysis/engines/livens_mechanism_engine.h"

#include "analysis/engines/settings_fit.h"
#include "analysis/mechanism_observation.h"
#include "integrate/archive.h"
#include "integrate/first_chosen_step.h"
#include "integrate/fitting.h"
#include "math/largest.h"
#include "system/mobility.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace polhode {

namespace {

std::string livensMechanismObstacle(const Model& model, const SimulationSettings& settings) {
  if (const std::string refused = ownConstraintsObstacle(settings); !refused.empty()) return refused;
  if (settings.coordinates != "quaternion")
    return fmt::format(
        "integrator '{}' moves mechanisms in coordinates 'quaternion', not '{}'; choose these, or 'director-em'",
        settings.integrator, settings.coordinates);
  const auto mechanism = std::make_shared<const Mechanism>(model);
  const QuaternionMechanism system(mechanism, mobilityOf(*mechanism).redundantRows);
  return fitObstacle(settings.integrator, system, system.position(initialMotion(*mechanism)));
}

std::unique_ptr<ConstrainedStepper> makeStepper(const QuaternionMechanism& system, const SimulationSettings& settings) {
  const MechanismMotion start = initialMotion(system.mechanism());
  const VectorX q = system.position(start);
  VectorX state(2 * q.size());
  state << q, system.velocity(q, start);

  const NamedIntegrator named = parseConstrainedIntegrator(settings.integrator);
  auto stepper =
      named.info.makeSystem(system, 0.0, state, settings.end,
                            settings.step ? *settings.step : firstChosenStep(system.mechanism(), settings.end));
  if (named.composed) stepper->compose(named.order);
  stepper->rename(settings.integrator);
  if (!settings.step) stepper->control(settings.tolerance);
  const Mechanism& mechanism = system.mechanism();
  stepper->endStepsAt(settings.step ? StepBreaks::ofFixedSteps(mechanism, settings.end)
                                    : StepBreaks::ofChosenSteps(mechanism, settings.end, settings.largestStep));
  return stepper;
}

}  // namespace

const EngineType LivensMechanismEngine::type = {
    "Livens mechanism",
    "mechanisms in quaternions by the schemes from Livens' principle",
    {},
    [](const Model&, const SimulationSettings& settings) { return moves(settings, IntegratorKind::livens); },
    livensMechanismObstacle,
    [](const Model& model, const SimulationSettings& settings) -> std::unique_ptr<Engine> {
      return std::make_unique<LivensMechanismEngine>(model, settings);
    }};

LivensMechanismEngine::LivensMechanismEngine(const Model& model, const SimulationSettings& settings)
    : Engine(type.capabilities),
      mechanism_(std::make_shared<const Mechanism>(model)),
      system_(mechanism_, mobilityOf(*mechanism_).redundantRows),
      watch_(mechanism_) {
  stepper_ = makeStepper(system_, settings);
  appliedPotentialAtStart_ = system_.appliedPotential(stepper_->q());
}

void LivensMechanismEngine::persist(Archive& archive) {
  Engine::persist(archive);
  archive(watch_);
}

Observation LivensMechanismEngine::observed(double t, const VectorX& y, Detail detail) const {
  const int n = system_.coordinates();
  const VectorX q = y.head(n), v = y.segment(n, n), p = y.tail(n);
  const MechanismMotion bodies = system_.motion(q, v);
  Observation o = observeMechanism(*mechanism_, t, bodies);

  MatrixX M(n, n);
  system_.mass(q, M);
  const double ofVelocities = 0.5 * v.dot(M * v);
  o.kineticEnergy = p.dot(v) - ofVelocities;
  o.nodeEnergy = ofVelocities + o.potentialEnergy;
  o.work = stepper_->appliedWork() + system_.appliedPotential(q) - appliedPotentialAtStart_;
  o.linearMomentum = system_.linearMomentum(p);
  o.angularMomentum = system_.angularMomentum(q, p);
  o.positionViolation = largestOrNaN(o.positionViolation, system_.lengthViolation(q));
  o.velocityViolation = largestOrNaN(o.velocityViolation, system_.lengthRateViolation(q, v));
  const VectorX pulls = -system_.jointMultipliers(stepper_->multipliers());
  watch_.tell(o, bodies, detail, {}, pulls);
  return o;
}

VectorX LivensMechanismEngine::multipliers(double /*t*/, const VectorX& /*y*/) const {
  return system_.jointMultipliers(stepper_->multipliers());
}

std::string LivensMechanismEngine::warning() const {
  if (mechanism_->joints().empty()) return "";
  return fmt::format(
      "{} with joints loses angular momentum at O(h^2), and in closed loops its multipliers may grow until a step "
      "fails; "
      "director-em keeps energy and momenta (docs/integrators/mechanisms.md)",
      stepper_->name());
}

}  // namespace polhode
