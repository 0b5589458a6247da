#include "polhode/analysis/joint_watch.h"

#include "polhode/system/joint_state.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

namespace polhode {

namespace {

bool isUniversal(const MechanismJoint& joint) {
  return joint.type->needs == JointNeeds::pointAndTwoAxes;
}

using Readings = std::array<JointReading, 6>;

constexpr std::array<const char*, 2> universalNames = {"first_angle", "second_angle"};

std::size_t coordinatesOf(const MechanismJoint& joint) {
  return isUniversal(joint) ? universalNames.size() : joint.type->coordinates.size();
}

std::string nameOf(const MechanismJoint& joint, std::size_t coordinate) {
  return isUniversal(joint) ? universalNames[coordinate] : joint.type->coordinates[coordinate].name;
}

/// Angles as they are between -pi and pi.
Readings read(const MechanismJoint& joint, const MovingPlacement& first, const MovingPlacement& second) {
  Readings all;
  if (isUniversal(joint)) {
    const auto angles = universalAngles(joint, first, second);
    std::copy(angles.begin(), angles.end(), all.begin());
    return all;
  }
  std::size_t next = 0;
  for (const JointCoordinateInfo& info : joint.type->coordinates)
    all[next++] = {jointCoordinate(joint, info, first.at, second.at), jointRate(joint, info, first, second)};
  return all;
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
    const Readings now = read(joint, motionOf(start, joint.first), motionOf(start, joint.second));
    for (std::size_t k = 0; k < count; ++k) zeros_.back()[k] = now[k].value;
  }
}

void JointWatch::follow(double t, std::span<const MovingPlacement> motion) {
  constexpr double turn = 2.0 * std::numbers::pi;
  for (const std::size_t j : moving_) {
    const MechanismJoint& joint = mechanism_.joints()[j];
    const Readings now = read(joint, motionOf(motion, joint.first), motionOf(motion, joint.second));
    for (std::size_t k = 0; k < values_[j].size(); ++k) {
      double value = now[k].value - zeros_[j][k];
      if (isAngle(joint, k) && (started_ || isUniversal(joint))) {
        const double expected = started_ ? values_[j][k] + 0.5 * (rates_[j][k] + now[k].rate) * (t - time_) : 0.0;
        value += turn * std::round((expected - value) / turn);
      }
      values_[j][k] = value;
      rates_[j][k] = now[k].rate;
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

}  // namespace polhode
