#pragma once

#include "polhode/system/mechanism_observation.h"

/// A joint's own coordinates and their rates, from the motion of its two bodies.
namespace polhode {

/// The angle by which the second frame has turned about the third axis of the first (between -pi and pi), or how far the
/// second point has moved along an axis of the first frame.
double jointCoordinate(const MechanismJoint& joint, const JointCoordinateInfo& info, const Placement& first,
                       const Placement& second);

/// Its derivative by time.
double jointRate(const MechanismJoint& joint, const JointCoordinateInfo& info, const MovingPlacement& first,
                 const MovingPlacement& second);

}  // namespace polhode
