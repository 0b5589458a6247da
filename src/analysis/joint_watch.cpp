#include "analysis/joint_watch.h"

#include "system/joint_state.h"

#include <array>
#include <cmath>
#include <numbers>
#include <optional>

namespace polhode {

namespace {

bool isUniversal(const MechanismJoint& joint) {
  return joint.type->needs == JointNeeds::pointAndTwoAxes;
}

constexpr std::array<const char*, 2> universalNames = {"first_angle", "second_angle"};

/// Those of the joint's type and, of universal joints, the angles about both axes behind them.
std::size_t coordinatesOf(const MechanismJoint& joint) {
  return joint.type->coordinates.size() + (isUniversal(joint) ? universalNames.size() : 0);
}

/// The number of an angle about an axis of a universal joint; none for coordinates of the type.
std::optional<std::size_t> universalAngle(const MechanismJoint& joint, std::size_t coordinate) {
  const std::size_t ofType = joint.type->coordinates.size();
  return coordinate < ofType ? std::nullopt : std::optional(coordinate - ofType);
}

std::string nameOf(const MechanismJoint& joint, std::size_t coordinate) {
  const auto angle = universalAngle(joint, coordinate);
  return angle ? universalNames[*angle] : joint.type->coordinates[coordinate].name;
}

/// Angles as they are between -pi and pi.
template <class Scalar>
JointReadingOf<Scalar> read(const MechanismJoint& joint, std::size_t coordinate, const MovingPlacementOf<Scalar>& first,
                            const MovingPlacementOf<Scalar>& second) {
  if (const auto angle = universalAngle(joint, coordinate)) return universalAngles(joint, first, second)[*angle];
  const JointCoordinateInfo& info = joint.type->coordinates[coordinate];
  return {jointCoordinate(joint, info, first.at, second.at), jointRate(joint, info, first, second)};
}

bool isAngle(const MechanismJoint& joint, std::size_t coordinate) {
  return isUniversal(joint) || joint.type->coordinates[coordinate].kind == MotionKind::rotation;
}

}  // namespace

JointWatch::JointWatch(const Mechanism& mechanism) : mechanism_(mechanism) {
  const MechanismMotion start = initialMotion(mechanism);
  for (std::size_t j = 0; j < mechanism.joints().size(); ++j) {
    const MechanismJoint& joint = mechanism.joints()[j];
    const std::size_t count = coordinatesOf(joint);
    for (auto* each : {&values_, &rates_, &zeros_}) each->emplace_back(count, 0.0);
    if (count > 0) moving_.push_back(j);
    if (!isUniversal(joint)) continue;
    for (std::size_t k = 0; k < count; ++k)
      zeros_.back()[k] = read(joint, k, motionOf(start, joint.first), motionOf(start, joint.second)).value -
                         (k < joint.start.size() ? joint.start[k] : 0.0);
  }
}

void JointWatch::follow(double t, std::span<const MovingPlacement> motion) {
  constexpr double turn = 2.0 * std::numbers::pi;
  for (const std::size_t j : moving_) {
    const MechanismJoint& joint = mechanism_.joints()[j];
    const MovingPlacement &first = motionOf(motion, joint.first), &second = motionOf(motion, joint.second);
    for (std::size_t k = 0; k < values_[j].size(); ++k) {
      const JointReadingOf<double> now = read(joint, k, first, second);
      double value = now.value - zeros_[j][k];
      if (isAngle(joint, k) && (started_ || isUniversal(joint) || !joint.start.empty())) {
        const double expected = started_                 ? values_[j][k] + 0.5 * (rates_[j][k] + now.rate) * (t - time_)
                                : k < joint.start.size() ? joint.start[k]
                                                         : 0.0;
        value += turn * std::round((expected - value) / turn);
      }
      values_[j][k] = value;
      rates_[j][k] = now.rate;
    }
  }
  time_ = t;
  started_ = true;
}

std::vector<JointObservation> JointWatch::observe(double t, std::span<const MovingPlacement> motion,
                                                  std::span<const Wrench> reactions) {
  follow(t, motion);
  std::vector<JointObservation> all(mechanism_.joints().size());
  for (std::size_t j = 0; j < all.size(); ++j) {
    const MechanismJoint& joint = mechanism_.joints()[j];
    all[j].name = joint.name;
    for (std::size_t k = 0; k < values_[j].size(); ++k)
      all[j].coordinates.push_back({nameOf(joint, k), values_[j][k], rates_[j][k]});
    if (!reactions.empty()) {
      all[j].force = reactions[j].force;
      all[j].torque = reactions[j].torque;
    }
  }
  return all;
}

std::vector<JointObservation> jointChanges(const Mechanism& mechanism, const VariedMotion& motion,
                                           std::span<const Wrench> reactionChanges) {
  std::vector<JointObservation> all;
  for (std::size_t j = 0; j < mechanism.joints().size(); ++j) {
    const MechanismJoint& joint = mechanism.joints()[j];
    JointObservation change{joint.name, {}, reactionChanges[j].force, reactionChanges[j].torque};
    for (std::size_t k = 0; k < coordinatesOf(joint); ++k) {
      const JointReadingOf<Varied> now = read(joint, k, motionOf(motion, joint.first), motionOf(motion, joint.second));
      change.coordinates.push_back({nameOf(joint, k), now.value.derivative()[0], now.rate.derivative()[0]});
    }
    all.push_back(std::move(change));
  }
  return all;
}

}  // namespace polhode
