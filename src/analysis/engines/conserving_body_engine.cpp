#include "analysis/engines/conserving_body_engine.h"

#include "analysis/engines/classical_body_engine.h"
#include "analysis/engines/settings_fit.h"
#include "integrate/single_body/scheme_stepper.h"

#include <cmath>

#include <fmt/format.h>

namespace polhode {

namespace {

/// Whether the model is no more than what the schemes know: one body with inertia about all axes, under gravity.
bool isBodyAlone(const Model& model) {
  return PrincipalBody::fits(model) && model.bodies[0].inertia.determinant() > 0.0 && model.forces.empty() &&
         model.actuators.empty();
}

std::string conservingBodyObstacle(const Model& model, const SimulationSettings& settings) {
  if (!PrincipalBody::fits(model))
    return fmt::format(
        "integrator '{}' moves one body under gravity, and the model is a mechanism; choose 'director-em', 'eml', "
        "'mpl' or one of the classical integrators, such as 'dop853'",
        settings.integrator);
  if (!model.forces.empty())
    return fmt::format(
        "integrator '{}' knows gravity only, and the model has springs; choose one of the classical integrators, such "
        "as 'dop853'",
        settings.integrator);
  if (const std::string refused = ownConstraintsObstacle(settings); !refused.empty()) return refused;
  if (PrincipalBody(model).data().inertia.minCoeff() <= 0.0)
    return fmt::format("integrator '{}' needs an inertia about every axis; use 'dop853' for rods and point masses",
                       settings.integrator);
  return "";
}

}  // namespace

/// Schemes that move mechanisms as well leave to their engines what is more than a body alone.
const EngineType ConservingBodyEngine::type = {
    "conserving body",
    "one body under gravity by the conserving and variational schemes for a single body",
    {},
    [](const Model& model, const SimulationSettings& settings) {
      const bool movesMechanisms = moves(settings, IntegratorKind::director) || moves(settings, IntegratorKind::livens);
      return movesMechanisms ? isBodyAlone(model) : moves(settings, IntegratorKind::body);
    },
    conservingBodyObstacle,
    [](const Model& model, const SimulationSettings& settings) -> std::unique_ptr<Engine> {
      return std::make_unique<ConservingBodyEngine>(model, settings);
    }};

ConservingBodyEngine::ConservingBodyEngine(const Model& model, const SimulationSettings& settings)
    : Engine(type.capabilities), body_(model), watch_(model) {
  const RigidBodyData& data = body_.data();
  const single_body::TopData top{data.inertia, data.mass * data.centre, model.gravity};
  const BodyMotion start = body_.initialMotion();
  stepper_ = single_body::makeSchemeStepper(settings.integrator, top, {start.orientation, start.angularVelocity},
                                            settings.end, {settings.step, settings.tolerance});
}

Observation ConservingBodyEngine::observed(double t, const VectorX& y, Detail detail) const {
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

double ConservingBodyEngine::turningPotential(const BodyMotion& motion) const {
  return -body_.gravity().weight().dot(motion.directors * body_.data().centre);
}

}  // namespace polhode
