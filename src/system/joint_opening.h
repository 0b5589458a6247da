#pragma once

#include "system/mechanism_observation.h"

/// How far a joint is from being closed, at t = 0 or at another time.
namespace polhode {

struct JointOpening {
  double distance = 0.0;  // m: how far points lie apart, or a distance is off
  double angle = 0.0;     // rad: how far axes are turned apart (their sine)
  double speed = 0.0;     // m/s: how fast the points part
  double turning = 0.0;   // rad/s: how fast the axes part

  // The larger one of the two, relative to the lengths (speeds) that ought to cancel in the joints of the mechanism.
  double relativePosition = 0.0, relativeVelocity = 0.0;
};

/// The gap of a joint whose bodies stand and move like this, taken by itself.
JointOpening jointOpening(const MechanismJoint& joint, const MovingPlacement& first, const MovingPlacement& second,
                          double t = 0.0);

/// The gaps of all joints where the bodies stand and move like this. Bodies that were brought to rest part at what rounding
/// leaves of the speeds they had `before`; given these, the gaps are relative to the larger ones.
std::vector<JointOpening> jointOpenings(const Mechanism& mechanism, std::span<const MovingPlacement> bodies,
                                        double t = 0.0, std::span<const MovingPlacement> before = {});

}  // namespace polhode
