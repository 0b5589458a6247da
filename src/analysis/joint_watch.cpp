#include "polhode/analysis/joint_watch.h"

#include "polhode/system/joint_state.h"

#include <cmath>
#include <numbers>

namespace polhode {

JointWatch::JointWatch(const Mechanism& mechanism) : mechanism_(mechanism) {
  for (const MechanismJoint& joint : mechanism.joints()) {
    values_.emplace_back(joint.type->coordinates.size(), 0.0);
    rates_.emplace_back(joint.type->coordinates.size(), 0.0);
  }
}

std::vector<JointObservation> JointWatch::observe(double t, const MechanismMotion& motion,
                                                  std::span<const Wrench> reactions) {
  constexpr double turn = 2.0 * std::numbers::pi;
  std::vector<JointObservation> all;
  all.reserve(mechanism_.joints().size());
  for (std::size_t j = 0; j < mechanism_.joints().size(); ++j) {
    const MechanismJoint& joint = mechanism_.joints()[j];
    const MovingPlacement &first = motionOf(motion, joint.first), &second = motionOf(motion, joint.second);
    JointObservation seen;
    seen.name = joint.name;
    for (std::size_t k = 0; k < joint.type->coordinates.size(); ++k) {
      const JointCoordinateInfo& info = joint.type->coordinates[k];
      const double rate = jointRate(joint, info, first, second);
      double value = jointCoordinate(joint, info, first.at, second.at);
      if (info.kind == MotionKind::rotation && started_) {
        const double expected = values_[j][k] + 0.5 * (rates_[j][k] + rate) * (t - time_);
        value += turn * std::round((expected - value) / turn);
      }
      values_[j][k] = value;
      rates_[j][k] = rate;
      seen.coordinates.push_back({info.name, value, rate});
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
