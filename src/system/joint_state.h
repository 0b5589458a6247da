#pragma once

#include "system/varied_motion.h"

#include <array>

/// A joint's own coordinates and their rates, from the motion of its two bodies; numbers that carry their change
/// (varied_motion.h) where these do.
namespace polhode {

/// The angle by which the second frame has turned about the third axis of the first (between -pi and pi), or how far the
/// second point has moved along an axis of the first frame.
template <class Scalar>
Scalar jointCoordinate(const MechanismJoint& joint, const JointCoordinateInfo& info, const PlacementOf<Scalar>& first,
                       const PlacementOf<Scalar>& second);

/// Its derivative by time.
template <class Scalar>
Scalar jointRate(const MechanismJoint& joint, const JointCoordinateInfo& info, const MovingPlacementOf<Scalar>& first,
                 const MovingPlacementOf<Scalar>& second);

/// A coordinate and its derivative by time.
template <class Scalar>
struct JointReadingOf {
  Scalar value = 0.0, rate = 0.0;
};

/// The two angles of a universal joint, in the order of its axes, between -pi and pi: how far the cross has turned about
/// the axis that is fixed in the first body, and the second body against the cross about the axis fixed in itself. Each is
/// counted from an axis of the joint's frames; only changes have a meaning.
template <class Scalar>
std::array<JointReadingOf<Scalar>, 2> universalAngles(const MechanismJoint& joint,
                                                      const MovingPlacementOf<Scalar>& first,
                                                      const MovingPlacementOf<Scalar>& second);

}  // namespace polhode
