#include "control/steered_mechanism.h"

#include "integrate/mechanism/mechanism_state.h"
#include "math/index.h"
#include "system/coordinates.h"
#include "system/joint_state.h"
#include "system/scalar_coordinate.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

namespace polhode {

namespace {

bool isPulledByPerson(Hands hands) {
  return std::any_of(hands.begin(), hands.end(), [](const auto& hand) { return hand->isPersons(); });
}

}  // namespace

SteeredMechanism::HeldState SteeredMechanism::stateOfJoint(const Held& held) {
  const MechanismJoint& joint = mechanism_.joints()[at(held.joint)];
  const JointCoordinateInfo& info = joint.type->coordinates[held.coordinate];
  const MovingPlacement &first = motionOf(stepper_.bodies(), joint.first),
                        &second = motionOf(stepper_.bodies(), joint.second);
  double value = jointCoordinate(joint, info, first.at, second.at);
  if (info.kind == MotionKind::rotation) {
    constexpr double turn = 2.0 * std::numbers::pi;
    value += turn * std::round((angles_[at(held.joint)] - value) / turn);
    angles_[at(held.joint)] = value;
  }
  return {Vector3(value, 0.0, 0.0), Vector3(jointRate(joint, info, first, second), 0.0, 0.0), Vector3::Zero(),
          Quaternion(1.0, 0.0, 0.0, 0.0)};
}

SteeredMechanism::HeldState SteeredMechanism::stateOf(const Held& held) {
  if (held.joint >= 0) return stateOfJoint(held);
  const MovingPlacement& body = stepper_.bodies()[at(held.body)];
  const Vector3& w = stepper_.angularVelocity(held.body);
  return {body.at.point(held.point), stepper_.velocity(held.body) + w.cross(body.at.D * held.point), w,
          stepper_.orientation(held.body)};
}

/// The force of a hand's law, and its response, which is added to the step.
Vector3 SteeredMechanism::pull(const Hand& hand, const HeldState& before, const BodyMobility& mobility) {
  const double h = stepper_.step();
  const Held& held = hand.held();
  const Vector3 arm = stepper_.bodies()[at(held.body)].at.D * held.point;
  const auto pointIn = [&](const VectorX& response) -> Vector3 {
    return stepper_.velocityIn(response, held.body) + stepper_.angularVelocityIn(response, held.body).cross(arm);
  };
  DrivenState<Translation> state{stepper_.time(), h, before.position, before.velocity};
  Eigen::Matrix<double, 3, 6> toPoint;  // the velocity of the point, by those of the body
  toPoint << Matrix3::Identity(), -hat<double>(arm);
  state.mobility = toPoint * mobility * toPoint.transpose();
  // what the velocity of the point changes by without this hand; that it turns with the body counts as well
  const Vector3 moved = stepper_.velocity(held.body) + stepper_.angularVelocity(held.body).cross(arm);
  state.freeAcceleration = (moved + pointIn(stepper_.freeChange()) - before.velocity) / h;
  state.mobility = 0.5 * (state.mobility + state.mobility.transpose()).eval();

  const Vector3 force = hand.laws().translation->force(state);
  stepper_.apply({held.body, {force, arm.cross(force)}});
  return force;
}

/// The same for a coordinate of a joint: one response, to a unit of force along it.
Vector3 SteeredMechanism::pullJoint(const Hand& hand, const HeldState& before) {
  const double h = stepper_.step();
  const std::array<BodyWrench, 2> unit =
      wrenchesOf(stepper_.bodies(), hand.held(), {Vector3::UnitX(), Vector3::Zero()});
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
  const Vector3 force = hand.laws().translation->force(state);
  stepper_.apply(response_, force[0]);
  return force;
}

std::array<BodyWrench, 2> SteeredMechanism::wrenchesOf(std::span<const MovingPlacement> bodies, const Held& held,
                                                       const Wrench& pull) const {
  if (held.joint < 0) {
    const Vector3 arm = bodies[at(held.body)].at.D * held.point;
    return {{{groundIndex, {}}, {held.body, {pull.force, pull.torque + arm.cross(pull.force)}}}};
  }
  const MechanismJoint& joint = mechanism_.joints()[at(held.joint)];
  const Pull gradient = ScalarCoordinate::ofJoint(joint.geometry, joint.type->coordinates[held.coordinate])
                            .gradient(motionOf(bodies, joint.first).at, motionOf(bodies, joint.second).at);
  const double effort = pull.force[0];
  return {{{joint.first, {effort * gradient.segment<3>(0), effort * gradient.segment<3>(3)}},
           {joint.second, {effort * gradient.segment<3>(6), effort * gradient.segment<3>(9)}}}};
}

/// The same for the torque.
Vector3 SteeredMechanism::turn(const Hand& hand, const HeldState& before, const BodyMobility& mobility) {
  const double h = stepper_.step();
  const Held& held = hand.held();
  DrivenState<Rotation> state{stepper_.time(), h, before.orientation, before.angularVelocity};
  state.mobility = mobility.bottomRightCorner<3, 3>();
  state.freeAcceleration = stepper_.angularVelocityIn(stepper_.freeChange(), held.body) / h;
  state.mobility = 0.5 * (state.mobility + state.mobility.transpose()).eval();

  const Vector3 torque = hand.laws().rotation->force(state);
  stepper_.apply({held.body, {Vector3::Zero(), torque}});
  return torque;
}

void SteeredMechanism::addPulls(std::span<const MovingPlacement> bodies, Hands hands,
                                std::vector<Wrench>& wrenches) const {
  for (const auto& hand : hands)
    for (const BodyWrench& part : wrenchesOf(bodies, hand->held(), hand->pull)) addTo(wrenches, part);
  for (const BodyWrench& part : steadying_) addTo(wrenches, part);
}

/// Slows all bodies where nobody who holds moves.
void SteeredMechanism::steady(Hands hands) {
  steadying_.clear();
  double rate = std::numeric_limits<double>::infinity();
  bool haveBeenStill = true;
  for (const auto& hand : hands) {
    if (!hand->isPersons() || !hand->holds()) continue;
    const Steadying asked = hand->steadying(stepper_.time());
    rate = std::min(rate, asked.rate);
    haveBeenStill = haveBeenStill && asked.hasBeenStill;
  }
  isStill_ = haveBeenStill && std::isfinite(rate);
  if (!(rate > 0.0 && std::isfinite(rate))) return;
  for (int b = 0; b < static_cast<int>(mechanism_.bodies().size()); ++b) {
    const MechanismBody& body = mechanism_.bodies()[at(b)];
    const Matrix3& D = stepper_.bodies()[at(b)].at.D;
    const Vector3 spin = body.inertia.cwiseProduct(D.transpose() * stepper_.angularVelocity(b));
    steadying_.push_back({b, {-rate * body.mass * stepper_.velocity(b), -rate * (D * spin)}});
  }
  stepper_.apply(steadying_);
}

/// The work of the last step, by the shifts of all bodies. Forces act at points as they are in the middle of the step, efforts along
/// coordinates as at its begin.
void SteeredMechanism::tellWork(Hands hands, std::span<const MovingPlacement> begin,
                                std::span<const MovingPlacement> middle) {
  const auto workOf = [&](const BodyWrench& part) {
    if (part.body == groundIndex) return 0.0;
    const BodyShift& body = shifts_[at(part.body)];
    return part.wrench.force.dot(body.shift) + part.wrench.torque.dot(body.turn);
  };
  double slowing = 0.0;
  for (const BodyWrench& part : steadying_) slowing += workOf(part);
  for (const auto& hand : hands) {
    if (!hand->isPersons() || !hand->holds()) continue;
    double ofForce = 0.0;
    const auto bodies = hand->held().joint >= 0 ? begin : middle;
    for (const BodyWrench& part : wrenchesOf(bodies, hand->held(), {hand->pull.force, Vector3::Zero()}))
      ofForce += workOf(part);
    hand->hasWorked(ofForce, workOf({hand->held().body, {Vector3::Zero(), hand->pull.torque}}), -slowing);
    slowing = 0.0;
  }
}

void SteeredMechanism::settle(Hands hands, std::span<const MovingPlacement> before,
                              std::span<const MovingPlacement> after, double length) {
  shifts_.clear();
  acceleration_ = 0.0;
  const double size = mechanismSize(mechanism_);
  middle_.assign(before.begin(), before.end());
  for (std::size_t b = 0; b < before.size(); ++b) {
    middle_[b].at = mean(before[b].at, after[b].at);
    acceleration_ = std::max({acceleration_, (after[b].rate.v - before[b].rate.v).norm() / (length * size),
                              (turnRate(after[b]) - turnRate(before[b])).norm() / length});
    const Matrix3 R = after[b].at.D * before[b].at.D.transpose();
    const Vector3 turn(R(2, 1) - R(1, 2), R(0, 2) - R(2, 0), R(1, 0) - R(0, 1));
    shifts_.push_back({after[b].at.x - before[b].at.x, 2.0 / (1.0 + R.trace()) * turn});
  }
  tellWork(hands, before, middle_);
}

/// All of a step but for taking it over.
void SteeredMechanism::begin(Hands hands, std::span<const BodyWrench> loads) {
  before_.clear();
  for (const auto& hand : hands) before_.push_back(stateOf(hand->held()));
  stepper_.move();
  stepper_.apply(loads);
  steady(hands);
  for (std::size_t i = 0; i < hands.size(); ++i) {
    Hand& hand = *hands[i];
    hand.pull = {};
    if (!hand.holds()) continue;
    if (hand.held().joint >= 0) {
      hand.pull.force = pullJoint(hand, before_[i]);
      continue;
    }
    const BodyMobility mobility = stepper_.mobility(hand.held().body);
    if (hand.laws().rotation) hand.pull.torque = turn(hand, before_[i], mobility);
    if (hand.laws().translation) hand.pull.force = pull(hand, before_[i], mobility);
  }
}

/// `opening` is what a whole step would make, of the size or in radians; `allowed` that of a part, at least `shortest` seconds long.
void SteeredMechanism::divide(double opening, double allowed, double shortest) {
  double part = stepper_.undividedStep();
  for (; opening > allowed && part >= 2.0 * shortest; opening *= 0.25) part *= 0.5;
  stepper_.divideSteps(std::min(part, 2.0 * stepper_.longestStep()));
}

void SteeredMechanism::divide(Hands hands) {
  divide(isPulledByPerson(hands) ? stepper_.opening(stepper_.undividedStep()) : 0.0, 2e-5, 1e-4);
}

double SteeredMechanism::divide(double time, std::span<const MovingPlacement> bodies, Hands hands, double left) {
  const double whole = stepper_.undividedStep();
  if (!isPulledByPerson(hands)) {
    stepper_.divideSteps(whole);
    return left;
  }
  stepper_.reset(time, bodies);
  divide(std::max(stepper_.opening(whole), 0.5 * acceleration_ * square(whole)), 2e-4, 5e-4);
  const double part = stepper_.longestStep();
  if (left > 1.5 * part) return part;
  stepper_.divideSteps(left);
  return left;
}

void SteeredMechanism::advance(Hands hands, std::span<const BodyWrench> loads) {
  begin(hands, loads);
  stepper_.finish();
  if (hands.empty()) return;
  shifts_.clear();
  for (int b = 0; b < static_cast<int>(mechanism_.bodies().size()); ++b)
    shifts_.push_back({stepper_.step() * stepper_.velocity(b), stepper_.step() * stepper_.angularVelocity(b)});
  tellWork(hands, stepper_.bodies(), stepper_.bodies());
}

void SteeredMechanism::guide(double time, std::span<const MovingPlacement> bodies, Hands hands,
                             std::span<const BodyWrench> loads) {
  stepper_.reset(time, bodies);
  begin(hands, loads);
}

}  // namespace polhode
