#pragma once

#include "system/mechanism_observation.h"

#include <array>

/// A joint's own coordinates and their rates, from the motion of its two bodies.
namespace polhode {

/// The angle by which the second frame has turned about the third axis of the first (between -pi and pi), or how far the
/// second point has moved along an axis of the first frame.
double jointCoordinate(const MechanismJoint& joint, const JointCoordinateInfo& info, const Placement& first,
                       const Placement& second);

/// Its derivative by time.
double jointRate(const MechanismJoint& joint, const JointCoordinateInfo& info, const MovingPlacement& first,
                 const MovingPlacement& second);

/// A coordinate and its derivative by time.
struct JointReading {
  double value = 0.0, rate = 0.0;
};

/// The two angles of a universal joint, in the order of its axes, between -pi and pi: how far the cross has turned about
/// the axis that is fixed in the first body, and the second body against the cross about the axis fixed in itself. Each is
/// counted from an axis of the joint's frames; only changes have a meaning.
std::array<JointReading, 2> universalAngles(const MechanismJoint& joint, const MovingPlacement& first,
                                            const MovingPlacement& second);

}  // namespace polhode
