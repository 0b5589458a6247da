#include "system/joint_state.h"

#include "math/quaternion.h"

#include <cmath>

namespace polhode {

namespace {

/// The angular velocity in space, from D' = omega^ D.
Vector3 turning(const MovingPlacement& body) {
  return unhat(Matrix3(body.rate.W * body.at.D.transpose()));
}

}  // namespace

double jointCoordinate(const MechanismJoint& joint, const JointCoordinateInfo& info, const Placement& first,
                       const Placement& second) {
  const JointGeometry& g = joint.geometry;
  if (info.kind == MotionKind::translation)
    return (first.D * g.first.axes.col(info.axis)).dot(second.point(g.second.point) - first.point(g.first.point));
  const Vector3 x = second.D * g.second.x();
  return std::atan2(x.dot(first.D * g.first.y()), x.dot(first.D * g.first.x()));
}

double jointRate(const MechanismJoint& joint, const JointCoordinateInfo& info, const MovingPlacement& first,
                 const MovingPlacement& second) {
  const JointGeometry& g = joint.geometry;
  const Vector3 omega = turning(first);
  if (info.kind == MotionKind::rotation) return (first.at.D * g.first.z()).dot(turning(second) - omega);
  const Vector3 point = second.at.point(g.second.point);
  const Vector3 carried = first.rate.v + omega.cross(point - first.at.x);
  return (first.at.D * g.first.axes.col(info.axis)).dot(second.rate.point(g.second.point) - carried);
}

std::array<JointReading, 2> universalAngles(const MechanismJoint& joint, const MovingPlacement& first,
                                            const MovingPlacement& second) {
  const JointFrame &f = joint.geometry.first, &s = joint.geometry.second;
  const Matrix3 &D1 = first.at.D, &D2 = second.at.D;
  const Vector3 firstArm = D1 * f.z(), secondArm = D2 * s.z(), relative = turning(second) - turning(first);
  // Seen from the second body the first arm turns the other way round.
  return {JointReading{std::atan2(secondArm.dot(D1 * f.y()), secondArm.dot(D1 * f.x())), firstArm.dot(relative)},
          JointReading{-std::atan2(firstArm.dot(D2 * s.y()), firstArm.dot(D2 * s.x())), secondArm.dot(relative)}};
}

}  // namespace polhode
