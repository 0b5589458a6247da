#include "polhode/analysis/index_body_run.h"

#include "polhode/analysis/single_body_run.h"
#include "polhode/error.h"
#include "polhode/math/largest.h"
#include "polhode/system/director_body.h"
#include "polhode/system/quaternion_body.h"

#include <array>

#include <fmt/format.h>

namespace polhode {

namespace {

constexpr std::array allLevels = {ConstraintLevel::acceleration, ConstraintLevel::velocity, ConstraintLevel::position,
                                  ConstraintLevel::stabilised};

}  // namespace

ConstraintLevel levelNamed(const std::string& formulation) {
  for (const ConstraintLevel level : allLevels)
    if (formulationName(level) == formulation) return level;
  throw InputError(fmt::format("there is no formulation '{}' with multipliers", formulation));
}

void requireIndexFit(const SimulationSettings& settings) {
  if (settings.integrator != "bdf")
    throw InputError(
        fmt::format("formulation '{}' is a differential-algebraic equation, which integrator '{}' does not "
                    "solve; choose integrator 'bdf' or formulation 'null-space'",
                    settings.formulation, settings.integrator));
  if (settings.coordinates != "quaternion" && settings.coordinates != "director")
    throw InputError(
        fmt::format("{} angles have no constraint and so no formulation '{}'; use coordinates "
                    "'quaternion' or 'director', or formulation 'null-space'",
                    settings.coordinates, settings.formulation));
  if (settings.projection != "none")
    throw InputError(
        fmt::format("projection '{}' does not go with formulation '{}', whose history it would break; use "
                    "formulation 'ggl' or projection 'none'",
                    settings.projection, settings.formulation));
}

bool IndexBodyRun::handles(const std::string& formulation) {
  for (const ConstraintLevel level : allLevels)
    if (formulationName(level) == formulation) return true;
  return false;
}

IndexBodyRun::IndexBodyRun(const Model& model, const SimulationSettings& settings)
    : body_(model), quaternions_(settings.coordinates == "quaternion"), watch_(model) {
  requireIndexFit(settings);
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
  equations_ = std::make_unique<IndexFormulation>(system_, levelNamed(settings.formulation));
  stepper_ = std::make_unique<BdfDae>(*equations_, 0.0, equations_->initialValue(0.0, q, v), settings.end,
                                      integratorOptions(settings));
}

BodyMotion IndexBodyRun::motion(const VectorX& y) const {
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

Observation IndexBodyRun::observed(double t, const VectorX& y, Detail detail) const {
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

VectorX IndexBodyRun::multipliers(double, const VectorX& y) const {
  return y.segment(2 * system_->coordinates(), system_->constraints());
}

}  // namespace polhode
