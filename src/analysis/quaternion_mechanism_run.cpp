#include "polhode/analysis/quaternion_mechanism_run.h"

#include "polhode/analysis/mechanism_observation.h"
#include "polhode/analysis/mechanism_run.h"
#include "polhode/analysis/projection_fit.h"
#include "polhode/error.h"
#include "polhode/integrate/archive.h"
#include "polhode/integrate/fitting.h"
#include "polhode/integrate/livens_em.h"
#include "polhode/integrate/livens_midpoint.h"
#include "polhode/math/largest.h"
#include "polhode/system/mobility.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace polhode {

namespace {

constexpr double firstStep = 1e-3;  // where the step is chosen for a tolerance

/// "eml-4" is the composition of order 4 of "eml"; order 2 is the scheme itself.
struct LivensName {
  std::string scheme;
  int order = 2;
};

LivensName parsed(const std::string& integrator) {
  for (const int order : {4, 6, 8})
    if (integrator.ends_with(fmt::format("-{}", order))) return {integrator.substr(0, integrator.size() - 2), order};
  return {integrator};
}

void requireSettingsFit(const SimulationSettings& settings) {
  refuseProjection(settings);
  if (settings.coordinates != "quaternion")
    throw InputError(
        fmt::format("integrator '{}' moves mechanisms in coordinates 'quaternion', not '{}'; choose these, "
                    "or 'director-em'",
                    settings.integrator, settings.coordinates));
}

std::unique_ptr<ConstrainedStepper> makeStepper(const QuaternionMechanism& system, const SimulationSettings& settings) {
  const MechanismMotion start = initialMotion(system.mechanism());
  const VectorX q = system.position(start);
  VectorX state(2 * q.size());
  state << q, system.velocity(q, start);

  const auto [scheme, order] = parsed(settings.integrator);
  requireFit(scheme, system, q);
  const double h = settings.step.value_or(firstStep);
  std::unique_ptr<ConstrainedStepper> stepper;
  if (scheme == "eml")
    stepper = std::make_unique<LivensEm>(system, 0.0, state, settings.end, h, DiscreteGradient::chainRule);
  else
    stepper = std::make_unique<LivensMidpoint>(system, 0.0, state, settings.end, h);
  if (order > 2) stepper->compose(order);
  stepper->rename(settings.integrator);
  if (!settings.step) stepper->control(settings.tolerance);
  return stepper;
}

}  // namespace

bool QuaternionMechanismRun::handles(const Model& model, const SimulationSettings& settings) {
  const std::string scheme = parsed(settings.integrator).scheme;
  return (scheme == "eml" || scheme == "mpl") && MechanismRun::isMechanism(model);
}

QuaternionMechanismRun::QuaternionMechanismRun(const Model& model, const SimulationSettings& settings)
    : mechanism_(std::make_shared<const Mechanism>(model)),
      system_(mechanism_, mobilityOf(*mechanism_).redundantRows),
      watch_(mechanism_) {
  requireSettingsFit(settings);
  if (mechanism_->isDriven())
    throw InputError(fmt::format("integrator '{}' does not move joints that follow a formula; choose 'director-em'",
                                 settings.integrator));
  stepper_ = makeStepper(system_, settings);
  appliedPotentialAtStart_ = system_.appliedPotential(stepper_->q());
}

void QuaternionMechanismRun::persist(Archive& archive) {
  Simulation::persist(archive);
  archive(watch_);
}

Observation QuaternionMechanismRun::observed(double t, const VectorX& y, Detail detail) const {
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

VectorX QuaternionMechanismRun::multipliers(double /*t*/, const VectorX& /*y*/) const {
  return system_.jointMultipliers(stepper_->multipliers());
}

std::string QuaternionMechanismRun::warning() const {
  if (mechanism_->joints().empty()) return "";
  return fmt::format(
      "{} with joints loses angular momentum at O(h^2), and in closed loops its multipliers may grow until a step "
      "fails; "
      "director-em keeps energy and momenta (docs/integrators/mechanisms.md)",
      stepper_->name());
}

}  // namespace polhode
