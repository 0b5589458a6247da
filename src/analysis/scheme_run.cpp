#include "polhode/analysis/scheme_run.h"

#include "polhode/analysis/projection_fit.h"
#include "polhode/analysis/single_body_run.h"
#include "polhode/error.h"
#include "polhode/integrate/single_body/scheme_stepper.h"

#include <cmath>

#include <fmt/format.h>

namespace polhode {

namespace {

void requireFit(const PrincipalBody& body, const SimulationSettings& settings) {
  if (body.otherForces())
    throw InputError(
        fmt::format("integrator '{}' knows gravity only, and the model has springs; choose one of the "
                    "classical integrators, such as 'dop853'",
                    settings.integrator));
  refuseProjection(settings);
  if (body.data().inertia.minCoeff() <= 0.0)
    throw InputError(
        fmt::format("integrator '{}' needs an inertia about every axis; use 'dop853' for rods and point "
                    "masses",
                    settings.integrator));
}

}  // namespace

bool SchemeRun::handles(const std::string& integrator) {
  return single_body::isScheme(integrator);
}

SchemeRun::SchemeRun(const Model& model, const SimulationSettings& settings) : body_(model), watch_(model) {
  requireFit(body_, settings);
  const RigidBodyData& data = body_.data();
  const single_body::TopData top{data.inertia, data.mass * data.centre, model.gravity};
  const BodyMotion start = body_.initialMotion();
  stepper_ = single_body::makeSchemeStepper(settings.integrator, top, {start.orientation, start.angularVelocity},
                                            settings.end, {settings.step, settings.tolerance});
}

Observation SchemeRun::observed(double t, const VectorX& y, Detail detail) const {
  const single_body::SchemeOutput output = single_body::SchemeOutput::unpack(y);
  BodyMotion motion;
  motion.position = body_.data().referencePosition;
  motion.orientation = output.q;
  motion.directors = rotationMatrix(output.q);
  motion.angularVelocity = output.Omega;
  Observation o = observeBody(body_, t, motion);
  // The scheme's own energies and its own q . v replace those of the motion seen from outside. The energy of the centre
  // of mass, which moves on a parabola, is in neither.
  const double turning =
      0.5 * output.Omega.dot(body_.data().inertia.cwiseProduct(output.Omega)) + turningPotential(motion);
  o.kineticEnergy += output.energy - turning;
  o.nodeEnergy = o.energy() + output.totalEnergy - output.energy;
  o.positionViolation = std::abs(0.5 * (output.q.squaredNorm() - 1.0));
  o.velocityViolation = std::abs(output.velocityDefect);
  watch_.tell(o, detail);
  return o;
}

double SchemeRun::turningPotential(const BodyMotion& motion) const {
  return -body_.gravity().weight().dot(motion.directors * body_.data().centre);
}

}  // namespace polhode
