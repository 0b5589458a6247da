#pragma once

#include "polhode/system/mechanism.h"

/// How far a joint is from being closed.
namespace polhode {

struct JointGap {
  double distance = 0.0;  // m: how far points lie apart, or a distance is off
  double angle = 0.0;     // rad: how far axes are turned apart (their sine)
  double speed = 0.0;     // m/s: how fast the points part
  double turning = 0.0;   // rad/s: how fast the axes part

  // The larger one of the two, relative to the lengths (speeds) that ought to cancel in it.
  double relativePosition = 0.0, relativeVelocity = 0.0;
};

/// The gap of a joint whose bodies stand and move like this.
JointGap jointGap(const MechanismJoint& joint, const MovingPlacement& first, const MovingPlacement& second);

/// Where the bodies of a mechanism are and how they move, at t = 0.
std::vector<MovingPlacement> initialPlacements(const Mechanism& mechanism);

/// The gaps of all joints where the bodies stand and move like this.
std::vector<JointGap> jointGaps(const Mechanism& mechanism, const std::vector<MovingPlacement>& bodies);

/// The placement of a body out of those of all bodies; that of the ground is at rest.
inline MovingPlacement placementOf(const std::vector<MovingPlacement>& bodies, int index) {
  return index == groundIndex ? MovingPlacement{} : bodies[static_cast<std::size_t>(index)];
}

/// The rate of a placement that moves with a velocity and turns with an angular velocity, both in space.
PlacementRate rateOf(const Placement& at, const Vector3& velocity, const Vector3& angularVelocity);

}  // namespace polhode
