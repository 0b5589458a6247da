#include "system/joint_opening.h"

#include "math/largest.h"
#include "system/joint_row.h"

#include <algorithm>
#include <cmath>

namespace polhode {

namespace {

/// The lengths and the speeds whose differences a joint's equations are.
struct JointScale {
  double length = 0.0, speed = 0.0, turning = 0.0;

  JointScale() = default;
  JointScale(const MechanismJoint& joint, const MovingPlacement& first, const MovingPlacement& second) {
    add(joint.geometry.first, first);
    add(joint.geometry.second, second);
  }

  void include(const JointScale& other) {
    length = largestOrNaN(length, other.length);
    speed = largestOrNaN(speed, other.speed);
    turning = largestOrNaN(turning, other.turning);
  }

  void add(const JointFrame& frame, const MovingPlacement& body) {
    const double turn = body.rate.W.norm() / std::sqrt(2.0);  // |W|^2 = 2 |omega|^2
    length += body.at.x.norm() + frame.point.norm();
    speed += body.rate.v.norm() + turn * frame.point.norm();
    turning += turn;
  }
};

double ratio(double gap, double scale) {
  return scale > 0.0 ? gap / scale : gap;
}

/// Where there is nothing to compare with, a gap counts as it is.
void compare(const JointScale& scale, JointOpening& gap) {
  gap.relativePosition = largestOrNaN(ratio(gap.distance, scale.length), gap.angle);
  gap.relativeVelocity = largestOrNaN(ratio(gap.speed, scale.speed), ratio(gap.turning, scale.turning));
}

}  // namespace

JointOpening jointOpening(const MechanismJoint& joint, const MovingPlacement& first, const MovingPlacement& second,
                          double t) {
  JointOpening gap;
  for (const JointEquation& equation : joint.equations) {
    const double offset = equation.offsetAt(t), value = equation.gap(t, first.at, second.at) + offset;
    const double rate = equation.rate(t, first, second);
    if (equation.form.kind == FormKind::axes) {
      gap.angle = std::hypot(gap.angle, value - offset);
      gap.turning = std::hypot(gap.turning, rate);
    } else if (equation.form.kind == FormKind::squaredDistance) {
      gap.distance = std::hypot(gap.distance, std::sqrt(value) - std::sqrt(offset));
      gap.speed = std::hypot(gap.speed, rate / (2.0 * std::sqrt(offset)));
    } else {
      gap.distance = std::hypot(gap.distance, value - offset);
      gap.speed = std::hypot(gap.speed, rate);
    }
  }
  compare(JointScale(joint, first, second), gap);
  return gap;
}

namespace {

JointOpening couplingOpening(const JointRow& row, std::span<const MovingPlacement> bodies) {
  const double gap = std::abs(row.gap(0.0, motionsIn(bodies))), rate = std::abs(row.rate(0.0, motionsIn(bodies)));
  JointOpening opening;
  const bool turns = row.equation().form.kind == FormKind::axes;
  (turns ? opening.angle : opening.distance) = gap;
  (turns ? opening.turning : opening.speed) = rate;
  return opening;
}

}  // namespace

std::vector<JointOpening> jointOpenings(const Mechanism& mechanism, std::span<const MovingPlacement> bodies, double t,
                                        std::span<const MovingPlacement> before) {
  std::vector<JointOpening> result;
  result.reserve(mechanism.joints().size());
  for (const MechanismJoint& joint : mechanism.joints())
    result.push_back(joint.coupling
                         ? couplingOpening(JointRow(joint, 0), bodies)
                         : jointOpening(joint, motionOf(bodies, joint.first), motionOf(bodies, joint.second), t));
  JointScale scale;
  for (const auto& motion : {bodies, before.empty() ? bodies : before})
    for (const MechanismJoint& joint : mechanism.joints())
      scale.include(JointScale(joint, motionOf(motion, joint.first), motionOf(motion, joint.second)));
  for (JointOpening& gap : result) compare(scale, gap);
  return result;
}

}  // namespace polhode
