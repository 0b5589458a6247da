#include "polhode/analysis/mechanism_run.h"

#include "polhode/analysis/mechanism_observation.h"
#include "polhode/analysis/projection_fit.h"
#include "polhode/error.h"
#include "polhode/integrate/archive.h"
#include "polhode/system/principal_body.h"

#include <fmt/format.h>

namespace polhode {

bool MechanismRun::isMechanism(const Model& model) {
  const bool singleBody = PrincipalBody::fits(model) && model.bodies[0].inertia.determinant() > 0.0;
  return !singleBody || !Mechanism(model).forces().empty();
}

bool MechanismRun::handles(const Model& model, const SimulationSettings& settings) {
  return isMechanismScheme(settings.integrator) && isMechanism(model);
}

MechanismRun::MechanismRun(const Model& model, const SimulationSettings& settings)
    : mechanism_(std::make_shared<const Mechanism>(model)) {
  refuseProjection(settings);
  stepper_ = makeMechanismStepper(settings.integrator, *mechanism_, settings.end, settings.step, settings.tolerance,
                                  settings.largestStep);
}

void MechanismRun::persist(Archive& archive) {
  Simulation::persist(archive);
  archive(watch_);
}

Observation MechanismRun::observed(double t, const VectorX& y, Detail detail) const {
  const MechanismMotion bodies = MechanismStepper::motionFrom(y);
  Observation o = observeMechanism(*mechanism_, t, bodies);
  o.work = MechanismStepper::workFrom(y);
  watch_.tell(o, bodies, detail, wrenchesOf(loads_, bodies), stepper_->mechanismState().multipliers);
  return o;
}

VectorX MechanismRun::multipliers(double /*t*/, const VectorX& /*y*/) const {
  return stepper_->mechanismState().multipliers;
}

bool MechanismRun::goOnFrom(double time, const std::vector<Body>& bodies) {
  stepper_->goOnFrom(time, mechanismMotion(*mechanism_, bodies));
  return true;
}

bool MechanismRun::motion(MechanismMotion& motion) const {
  motion = stepper_->mechanismState().bodies;
  return true;
}

bool MechanismRun::setLoad(std::size_t body, const Vector3& pointInBody, const Vector3& force, const Vector3& torque) {
  loads_[body] = BodyLoad(mechanism_->bodies()[body], pointInBody, force, torque);
  stepper_->engine().setLoad(body, loads_[body]);
  return true;
}

}  // namespace polhode
