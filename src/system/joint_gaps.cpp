#include "system/joint_gaps.h"

#include "math/largest.h"
#include "system/joint_row.h"

#include <cmath>

namespace polhode {

namespace {

void keepLarger(JointGap& gap, double size, int joint) {
  if (!(size <= gap.size)) gap = {size, joint};
}

/// Whether the first three equations of a joint hold one point on another, in the three directions of space.
bool holdsPoint(const MechanismJoint& joint) {
  if (joint.coupling || joint.rows() < 3) return false;
  const Form& first = joint.equations[0].form;
  for (int k = 0; k < 3; ++k) {
    const JointEquation& equation = joint.equations[static_cast<std::size_t>(k)];
    const Form& form = equation.form;
    if (form.kind != FormKind::point || equation.drive || form.a != Vector3::Unit(k) ||
        form.firstPoint != first.firstPoint || form.secondPoint != first.secondPoint)
      return false;
  }
  return true;
}

}  // namespace

JointGaps::JointGaps(const Mechanism& mechanism) : mechanism_(mechanism) {
  int number = 0;
  for (const MechanismJoint& joint : mechanism.joints()) {
    const auto& rows = joint.equations;
    const bool holds = holdsPoint(joint);
    if (holds)
      points_.push_back({rows[0].form.firstPoint,
                         rows[0].form.secondPoint,
                         {rows[0].offset, rows[1].offset, rows[2].offset},
                         joint.first,
                         joint.second,
                         number});
    if (const int from = holds ? 3 : 0; joint.rows() > from) others_.push_back({number, from});
    ++number;
  }
}

std::array<JointGap, 2> JointGaps::at(double t, std::span<const MovingPlacement> bodies) const {
  std::array<JointGap, 2> gaps;
  for (const HeldPoint& held : points_) {
    const MovingPlacement &first = motionOf(bodies, held.first), &second = motionOf(bodies, held.second);
    const Vector3 apart = second.at.point(held.secondPoint) - first.at.point(held.firstPoint) - held.offset;
    const Vector3 moving = second.rate.point(held.secondPoint) - first.rate.point(held.firstPoint);
    keepLarger(gaps[0], largestSizeOrNaN(apart), held.joint);
    keepLarger(gaps[1], largestSizeOrNaN(moving), held.joint);
  }
  for (const auto& [number, from] : others_) {
    const MechanismJoint& joint = mechanism_.joints()[static_cast<std::size_t>(number)];
    for (int k = from; k < joint.rows(); ++k) {
      const JointRow row(joint, k);
      const JointEquation& equation = row.equation();
      const double part = equation.form.kind == FormKind::squaredDistance ? 0.5 / std::sqrt(equation.offsetAt(t)) : 1.0;
      keepLarger(gaps[0], part * std::abs(row.gap(t, motionsIn(bodies))), number);
      keepLarger(gaps[1], part * std::abs(row.rate(t, motionsIn(bodies))), number);
    }
  }
  return gaps;
}

}  // namespace polhode
