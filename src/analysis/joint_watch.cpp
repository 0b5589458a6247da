#include "polhode/analysis/joint_watch.h"

#include "polhode/system/joint_state.h"

#include <cmath>
#include <numbers>

namespace polhode {

namespace {

using Coordinates = std::vector<JointObservation::Coordinate>;

bool isUniversal(const MechanismJoint& joint) {
  return joint.type->needs == JointNeeds::pointAndTwoAxes;
}

/// Angles as they are between -pi and pi.
Coordinates coordinatesOf(const MechanismJoint& joint, const MovingPlacement& first, const MovingPlacement& second) {
  Coordinates all;
  for (const JointCoordinateInfo& info : joint.type->coordinates)
    all.push_back(
        {info.name, jointCoordinate(joint, info, first.at, second.at), jointRate(joint, info, first, second)});
  if (isUniversal(joint)) {
    const auto [about, against] = universalAngles(joint, first, second);
    all.push_back({"first_angle", about.value, about.rate});
    all.push_back({"second_angle", against.value, against.rate});
  }
  return all;
}

bool isAngle(const MechanismJoint& joint, std::size_t coordinate) {
  return isUniversal(joint) || joint.type->coordinates[coordinate].kind == MotionKind::rotation;
}

}  // namespace

JointWatch::JointWatch(const Mechanism& mechanism) : mechanism_(mechanism) {
  const MechanismMotion start = initialMotion(mechanism);
  for (const MechanismJoint& joint : mechanism.joints()) {
    const Coordinates now = coordinatesOf(joint, motionOf(start, joint.first), motionOf(start, joint.second));
    for (auto* each : {&values_, &rates_, &zeros_}) each->emplace_back(now.size(), 0.0);
    if (!isUniversal(joint)) continue;
    for (std::size_t k = 0; k < now.size(); ++k) zeros_.back()[k] = now[k].value;
  }
}

std::vector<JointObservation> JointWatch::observe(double t, const MechanismMotion& motion,
                                                  std::span<const Wrench> reactions) {
  constexpr double turn = 2.0 * std::numbers::pi;
  std::vector<JointObservation> all;
  all.reserve(mechanism_.joints().size());
  for (std::size_t j = 0; j < mechanism_.joints().size(); ++j) {
    const MechanismJoint& joint = mechanism_.joints()[j];
    JointObservation seen;
    seen.name = joint.name;
    seen.coordinates = coordinatesOf(joint, motionOf(motion, joint.first), motionOf(motion, joint.second));
    for (std::size_t k = 0; k < seen.coordinates.size(); ++k) {
      JointObservation::Coordinate& now = seen.coordinates[k];
      now.value -= zeros_[j][k];
      if (isAngle(joint, k) && (started_ || isUniversal(joint))) {
        const double expected = started_ ? values_[j][k] + 0.5 * (rates_[j][k] + now.rate) * (t - time_) : 0.0;
        now.value += turn * std::round((expected - now.value) / turn);
      }
      values_[j][k] = now.value;
      rates_[j][k] = now.rate;
    }
    if (!reactions.empty()) {
      seen.force = reactions[j].force;
      seen.torque = reactions[j].torque;
    }
    all.push_back(std::move(seen));
  }
  time_ = t;
  started_ = true;
  return all;
}

}  // namespace polhode
