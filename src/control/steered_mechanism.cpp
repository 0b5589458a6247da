#include "control/steered_mechanism.h"

#include "math/index.h"
#include "system/coordinates.h"
#include "system/joint_state.h"
#include "system/scalar_coordinate.h"

#include <cmath>
#include <numbers>

namespace polhode {

SteeredMechanism::GripState SteeredMechanism::stateOfJoint(const Grip& grip) {
  const MechanismJoint& joint = mechanism_.joints()[at(grip.joint)];
  const JointCoordinateInfo& info = joint.type->coordinates[grip.coordinate];
  const MovingPlacement &first = motionOf(stepper_.bodies(), joint.first),
                        &second = motionOf(stepper_.bodies(), joint.second);
  double value = jointCoordinate(joint, info, first.at, second.at);
  if (info.kind == MotionKind::rotation) {
    constexpr double turn = 2.0 * std::numbers::pi;
    value += turn * std::round((angles_[at(grip.joint)] - value) / turn);
    angles_[at(grip.joint)] = value;
  }
  return {Vector3(value, 0.0, 0.0), Vector3(jointRate(joint, info, first, second), 0.0, 0.0), Vector3::Zero(),
          Quaternion(1.0, 0.0, 0.0, 0.0)};
}

SteeredMechanism::GripState SteeredMechanism::stateOf(const Grip& grip) {
  if (grip.joint >= 0) return stateOfJoint(grip);
  const MovingPlacement& body = stepper_.bodies()[at(grip.body)];
  const Vector3& w = stepper_.angularVelocity(grip.body);
  return {body.at.point(grip.point), stepper_.velocity(grip.body) + w.cross(body.at.D * grip.point), w,
          stepper_.orientation(grip.body)};
}

/// The force of a grip's law, and its response, which is added to the step.
Vector3 SteeredMechanism::pull(const Grip& grip, const GripState& before, const BodyMobility& mobility) {
  const double h = stepper_.step();
  const Vector3 arm = stepper_.bodies()[at(grip.body)].at.D * grip.point;
  const auto pointIn = [&](const VectorX& response) -> Vector3 {
    return stepper_.velocityIn(response, grip.body) + stepper_.angularVelocityIn(response, grip.body).cross(arm);
  };
  DrivenState<Translation> state{stepper_.time(), h, before.position, before.velocity};
  Eigen::Matrix<double, 3, 6> toPoint;  // the velocity of the point, by those of the body
  toPoint << Matrix3::Identity(), -hat<double>(arm);
  state.mobility = toPoint * mobility * toPoint.transpose();
  // what the velocity of the point changes by without this hand; that it turns with the body counts as well
  const Vector3 moved = stepper_.velocity(grip.body) + stepper_.angularVelocity(grip.body).cross(arm);
  state.freeAcceleration = (moved + pointIn(stepper_.freeChange()) - before.velocity) / h;
  state.mobility = 0.5 * (state.mobility + state.mobility.transpose()).eval();

  const Vector3 force = grip.translation->force(state);
  stepper_.apply({grip.body, {force, arm.cross(force)}});
  return force;
}

/// The same for a coordinate of a joint: one response, to a unit of force along it.
Vector3 SteeredMechanism::pullJoint(const Grip& grip, const GripState& before) {
  const double h = stepper_.step();
  const std::array<BodyWrench, 2> unit = wrenchesOf(stepper_.bodies(), grip, {Vector3::UnitX(), Vector3::Zero()});
  const auto rateOf = [&](const auto& velocity, const auto& angularVelocity) {
    double rate = 0.0;
    for (const BodyWrench& part : unit)
      if (part.body != groundIndex)
        rate += part.wrench.force.dot(velocity(part.body)) + part.wrench.torque.dot(angularVelocity(part.body));
    return rate;
  };
  const auto rateIn = [&](const VectorX& response) {
    return rateOf([&](int body) { return stepper_.velocityIn(response, body); },
                  [&](int body) { return stepper_.angularVelocityIn(response, body); });
  };
  stepper_.respond(unit, response_);
  const double moved = rateOf([&](int body) { return stepper_.velocity(body); },
                              [&](int body) { return stepper_.angularVelocity(body); });
  DrivenState<Translation> state{stepper_.time(), h, before.position, before.velocity, Matrix3::Zero()};
  state.mobility(0, 0) = rateIn(response_) / h;
  state.freeAcceleration[0] = (moved + rateIn(stepper_.freeChange()) - before.velocity[0]) / h;
  const Vector3 force = grip.translation->force(state);
  stepper_.apply(response_, force[0]);
  return force;
}

std::array<BodyWrench, 2> SteeredMechanism::wrenchesOf(std::span<const MovingPlacement> bodies, const Grip& grip,
                                                       const Wrench& pull) const {
  if (grip.joint < 0) {
    const Vector3 arm = bodies[at(grip.body)].at.D * grip.point;
    return {{{groundIndex, {}}, {grip.body, {pull.force, pull.torque + arm.cross(pull.force)}}}};
  }
  const MechanismJoint& joint = mechanism_.joints()[at(grip.joint)];
  const Pull gradient = ScalarCoordinate::ofJoint(joint.geometry, joint.type->coordinates[grip.coordinate])
                            .gradient(motionOf(bodies, joint.first).at, motionOf(bodies, joint.second).at);
  const double effort = pull.force[0];
  return {{{joint.first, {effort * gradient.segment<3>(0), effort * gradient.segment<3>(3)}},
           {joint.second, {effort * gradient.segment<3>(6), effort * gradient.segment<3>(9)}}}};
}

/// The same for the torque.
Vector3 SteeredMechanism::turn(const Grip& grip, const GripState& before, const BodyMobility& mobility) {
  const double h = stepper_.step();
  DrivenState<Rotation> state{stepper_.time(), h, before.orientation, before.angularVelocity};
  state.mobility = mobility.bottomRightCorner<3, 3>();
  state.freeAcceleration = stepper_.angularVelocityIn(stepper_.freeChange(), grip.body) / h;
  state.mobility = 0.5 * (state.mobility + state.mobility.transpose()).eval();

  const Vector3 torque = grip.rotation->force(state);
  stepper_.apply({grip.body, {Vector3::Zero(), torque}});
  return torque;
}

Wrench SteeredMechanism::guide(double time, std::span<const Body> bodies, const Grip& grip) {
  motion_.clear();
  for (std::size_t b = 0; b < bodies.size(); ++b) {
    const Matrix3& axes = mechanism_.bodies()[b].axes;
    const Placement placement{bodies[b].position, rotationMatrix(bodies[b].orientation) * axes};
    motion_.push_back(movingPlacement(placement, bodies[b].velocity, axes.transpose() * bodies[b].angularVelocity));
  }
  Wrench wrench;
  guide(time, motion_, {&grip, 1}, {&wrench, 1});
  return wrench;
}

void SteeredMechanism::guide(double time, std::span<const MovingPlacement> bodies, std::span<const Grip> grips,
                             std::span<Wrench> forces) {
  stepper_.reset(time, bodies);
  before_.clear();
  for (const Grip& grip : grips) before_.push_back(stateOf(grip));
  stepper_.move();
  pullAll(grips, forces);
}

void SteeredMechanism::pullAll(std::span<const Grip> grips, std::span<Wrench> forces) {
  for (std::size_t i = 0; i < grips.size(); ++i) {
    forces[i] = {};
    const Grip& grip = grips[i];
    if (!grip.rotation && !grip.translation) continue;
    if (grip.joint >= 0) {
      if (grip.translation) forces[i].force = pullJoint(grip, before_[i]);
      continue;
    }
    const BodyMobility mobility = stepper_.mobility(grip.body);
    if (grip.rotation) forces[i].torque = turn(grip, before_[i], mobility);
    if (grip.translation) forces[i].force = pull(grip, before_[i], mobility);
  }
}

void SteeredMechanism::advance(std::span<const Grip> grips, std::span<Wrench> forces,
                               std::span<const BodyWrench> loads) {
  before_.clear();
  for (const Grip& grip : grips) before_.push_back(stateOf(grip));
  stepper_.move();
  stepper_.apply(loads);
  pullAll(grips, forces);
  stepper_.finish();
}

}  // namespace polhode
