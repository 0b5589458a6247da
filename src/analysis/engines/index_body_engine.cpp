#include "analysis/engines/index_body_engine.h"

#include "analysis/engines/classical_body_engine.h"
#include "analysis/engines/settings_fit.h"
#include "analysis/formulation.h"
#include "math/largest.h"
#include "system/director_body.h"
#include "system/quaternion_body.h"

namespace polhode {

const EngineType IndexBodyEngine::type = {
    "index body",
    "one body with its multipliers as a differential-algebraic equation, by bdf",
    {.denseOutput = true},
    [](const Model& model, const SimulationSettings& settings) {
      return PrincipalBody::fits(model) && !settings.baumgarte && constraintLevel(settings.formulation);
    },
    [](const Model&, const SimulationSettings& settings) { return formulationObstacle(settings); },
    [](const Model& model, const SimulationSettings& settings) -> std::unique_ptr<Engine> {
      return std::make_unique<IndexBodyEngine>(model, settings);
    }};

IndexBodyEngine::IndexBodyEngine(const Model& model, const SimulationSettings& settings)
    : Engine(type.capabilities), body_(model), quaternions_(settings.coordinates == "quaternion"), watch_(model) {
  const BodyMotion start = body_.initialMotion();
  VectorX q, v;
  const auto place = [&](const auto& system) {
    q = system->position(start.position, start.orientation);
    v = system->velocity(q, start.velocity, start.angularVelocity);
    system_ = system;
  };
  if (quaternions_) {
    place(std::make_shared<QuaternionBody>(body_.data(), body_.allForces()));
  } else {
    place(std::make_shared<DirectorBody>(body_.data(), body_.allForces()));
  }
  equations_ = std::make_unique<IndexFormulation>(system_, *constraintLevel(settings.formulation));
  stepper_ = std::make_unique<BdfDae>(*equations_, 0.0, equations_->initialValue(0.0, q, v), settings.end,
                                      integratorOptions(settings));
}

BodyMotion IndexBodyEngine::motion(const VectorX& y) const {
  const int n = system_->coordinates();
  const VectorX q = y.head(n), v = y.segment(n, n);
  BodyMotion motion;
  const auto fill = [&](const auto& system) {
    motion.position = system.referencePoint(q);
    motion.directors = system.directors(q);
    motion.angularVelocity = system.angularVelocity(q, v);
  };
  if (quaternions_) {
    fill(static_cast<const QuaternionBody&>(*system_));
    motion.orientation = q.tail<4>();
  } else {
    fill(static_cast<const DirectorBody&>(*system_));
    motion.orientation = quaternionFromRotation(motion.directors);
  }
  if (body_.data().translates) motion.velocity = v.head<3>();
  return motion;
}

Observation IndexBodyEngine::observed(double t, const VectorX& y, Detail detail) const {
  Observation o = observeBody(body_, t, motion(y));
  const int n = system_->coordinates();
  const VectorX q = y.head(n), v = y.segment(n, n);
  VectorX g(system_->constraints());
  MatrixX G(system_->constraints(), n);
  system_->constraint(q, g);
  system_->constraintJacobian(q, G);
  o.positionViolation = largestSizeOrNaN(g);
  o.velocityViolation = largestSizeOrNaN(G * v);
  watch_.tell(o, detail);
  return o;
}

VectorX IndexBodyEngine::multipliers(double, const VectorX& y) const {
  return y.segment(2 * system_->coordinates(), system_->constraints());
}

}  // namespace polhode
