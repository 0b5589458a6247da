#include "polhode/control/steered_mechanism.h"

#include "polhode/system/coordinates.h"

namespace polhode {
namespace {

std::size_t at(int i) {
  return static_cast<std::size_t>(i);
}

}  // namespace

SteeredMechanism::GripState SteeredMechanism::stateOf(const Grip& grip) const {
  const MovingPlacement& body = stepper_.bodies()[at(grip.body)];
  const Vector3& w = stepper_.angularVelocity(grip.body);
  return {body.at.point(grip.point), stepper_.velocity(grip.body) + w.cross(body.at.D * grip.point), w,
          stepper_.orientation(grip.body)};
}

/// The force of a grip's law, and its response, which is added to the step.
Vector3 SteeredMechanism::pull(const Grip& grip, const GripState& before) {
  const double h = stepper_.step();
  const Vector3 arm = stepper_.bodies()[at(grip.body)].at.D * grip.point;
  const auto pointIn = [&](const VectorX& response) -> Vector3 {
    return stepper_.velocityIn(response, grip.body) + stepper_.angularVelocityIn(response, grip.body).cross(arm);
  };
  DrivenState<Translation> state{stepper_.time(), h, before.position, before.velocity};
  for (Eigen::Index i = 0; i < 3; ++i) {
    const Vector3 unit = Vector3::Unit(i);
    stepper_.respond({grip.body, {unit, arm.cross(unit)}}, responses_[at(static_cast<int>(i))]);
    state.mobility.col(i) = pointIn(responses_[at(static_cast<int>(i))]) / h;
  }
  // what the velocity of the point changes by without this hand; that it turns with the body counts as well
  const Vector3 moved = stepper_.velocity(grip.body) + stepper_.angularVelocity(grip.body).cross(arm);
  state.freeAcceleration = (moved + pointIn(stepper_.freeChange()) - before.velocity) / h;
  state.mobility = 0.5 * (state.mobility + state.mobility.transpose()).eval();

  const Vector3 force = grip.translation->force(state);
  for (Eigen::Index i = 0; i < 3; ++i) stepper_.apply(responses_[at(static_cast<int>(i))], force[i]);
  return force;
}

/// The same for the torque.
Vector3 SteeredMechanism::turn(const Grip& grip, const GripState& before) {
  const double h = stepper_.step();
  DrivenState<Rotation> state{stepper_.time(), h, before.orientation, before.angularVelocity};
  for (Eigen::Index i = 0; i < 3; ++i) {
    stepper_.respond({grip.body, {Vector3::Zero(), Vector3::Unit(i)}}, responses_[at(static_cast<int>(i))]);
    state.mobility.col(i) = stepper_.angularVelocityIn(responses_[at(static_cast<int>(i))], grip.body) / h;
  }
  state.freeAcceleration = stepper_.angularVelocityIn(stepper_.freeChange(), grip.body) / h;
  state.mobility = 0.5 * (state.mobility + state.mobility.transpose()).eval();

  const Vector3 torque = grip.rotation->force(state);
  for (Eigen::Index i = 0; i < 3; ++i) stepper_.apply(responses_[at(static_cast<int>(i))], torque[i]);
  return torque;
}

Wrench SteeredMechanism::guide(double time, std::span<const Body> bodies, const Grip& grip) {
  motion_.clear();
  for (std::size_t b = 0; b < bodies.size(); ++b) {
    const Matrix3& axes = mechanism_.bodies()[b].axes;
    const Placement placement{bodies[b].position, rotationMatrix(bodies[b].orientation) * axes};
    motion_.push_back(movingPlacement(placement, bodies[b].velocity, axes.transpose() * bodies[b].angularVelocity));
  }
  stepper_.reset(time, motion_);
  const GripState before = stateOf(grip);
  stepper_.move();
  Wrench wrench;
  if (grip.rotation) wrench.torque = turn(grip, before);
  if (grip.translation) wrench.force = pull(grip, before);
  return wrench;
}

void SteeredMechanism::advance(std::span<const Grip> grips, std::span<Wrench> forces,
                               std::span<const BodyWrench> loads) {
  before_.clear();
  for (const Grip& grip : grips) before_.push_back(stateOf(grip));
  stepper_.move();
  for (const BodyWrench& load : loads) {
    stepper_.respond(load, responses_[0]);
    stepper_.apply(responses_[0], 1.0);
  }
  for (std::size_t i = 0; i < grips.size(); ++i) {
    forces[i] = {};
    if (grips[i].rotation) forces[i].torque = turn(grips[i], before_[i]);
    if (grips[i].translation) forces[i].force = pull(grips[i], before_[i]);
  }
  stepper_.finish();
}

}  // namespace polhode
