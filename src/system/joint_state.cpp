#include "system/joint_state.h"

#include <cmath>

namespace polhode {

namespace {

/// The angular velocity in space, from D' = omega^ D.
template <class Scalar>
Vector<Scalar, 3> turning(const MovingPlacementOf<Scalar>& body) {
  return unhat(Eigen::Matrix<Scalar, 3, 3>(body.rate.W * body.at.D.transpose()));
}

/// The angle of an arm in the plane of the axes x and y of a frame that is carried by D.
template <class Scalar>
Scalar angleIn(const JointFrame& frame, const Eigen::Matrix<Scalar, 3, 3>& D, const Vector<Scalar, 3>& arm) {
  using std::atan2;
  const Vector<Scalar, 3> x = D * frame.x(), y = D * frame.y();
  return atan2(arm.dot(y), arm.dot(x));
}

}  // namespace

template <class Scalar>
Scalar jointCoordinate(const MechanismJoint& joint, const JointCoordinateInfo& info, const PlacementOf<Scalar>& first,
                       const PlacementOf<Scalar>& second) {
  const JointGeometry& g = joint.geometry;
  if (info.kind == MotionKind::rotation) return angleIn(g.first, first.D, Vector<Scalar, 3>(second.D * g.second.x()));
  const Vector<Scalar, 3> axis = first.D * g.first.axes.col(info.axis);
  return axis.dot(second.point(g.second.point) - first.point(g.first.point));
}

template <class Scalar>
Scalar jointRate(const MechanismJoint& joint, const JointCoordinateInfo& info, const MovingPlacementOf<Scalar>& first,
                 const MovingPlacementOf<Scalar>& second) {
  const JointGeometry& g = joint.geometry;
  const Vector<Scalar, 3> omega = turning(first);
  if (info.kind == MotionKind::rotation)
    return Vector<Scalar, 3>(first.at.D * g.first.z()).dot(turning(second) - omega);
  const Vector<Scalar, 3> axis = first.at.D * g.first.axes.col(info.axis);
  const Vector<Scalar, 3> arm = second.at.point(g.second.point) - first.at.x;
  const Vector<Scalar, 3> carried = first.rate.v + omega.cross(arm);
  return axis.dot(second.rate.point(g.second.point) - carried);
}

template <class Scalar>
std::array<JointReadingOf<Scalar>, 2> universalAngles(const MechanismJoint& joint,
                                                      const MovingPlacementOf<Scalar>& first,
                                                      const MovingPlacementOf<Scalar>& second) {
  const JointFrame &f = joint.geometry.first, &s = joint.geometry.second;
  const Vector<Scalar, 3> firstArm = first.at.D * f.z(), secondArm = second.at.D * s.z(),
                          relative = turning(second) - turning(first);
  // Seen from the second body the first arm turns the other way round.
  return {JointReadingOf<Scalar>{angleIn(f, first.at.D, secondArm), firstArm.dot(relative)},
          JointReadingOf<Scalar>{-angleIn(s, second.at.D, firstArm), secondArm.dot(relative)}};
}

template double jointCoordinate(const MechanismJoint&, const JointCoordinateInfo&, const Placement&, const Placement&);
template double jointRate(const MechanismJoint&, const JointCoordinateInfo&, const MovingPlacement&,
                          const MovingPlacement&);
template std::array<JointReadingOf<double>, 2> universalAngles(const MechanismJoint&, const MovingPlacement&,
                                                               const MovingPlacement&);
template Varied jointCoordinate(const MechanismJoint&, const JointCoordinateInfo&, const PlacementOf<Varied>&,
                                const PlacementOf<Varied>&);
template Varied jointRate(const MechanismJoint&, const JointCoordinateInfo&, const MovingPlacementOf<Varied>&,
                          const MovingPlacementOf<Varied>&);
template std::array<JointReadingOf<Varied>, 2> universalAngles(const MechanismJoint&, const MovingPlacementOf<Varied>&,
                                                               const MovingPlacementOf<Varied>&);

}  // namespace polhode
