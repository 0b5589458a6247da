#pragma once

#include "control/hand.h"
#include "system/mechanism_observation.h"

/// A mechanism that a hand poses while time stands still: what it holds comes to where it is to go, or as near as the joints let it.
///
/// With x the move and the turn of each body, J x how what is held moves, e what is missing and G x = 0 what the joints allow, each
/// round takes the smallest x (smallest_change.h) that goes where e points,
///
///     x = R (K + mu I)^-1 e,    R = W^-1 (J^T - G^T lambda)  with  G R = 0,    K = J R,
///
/// no further than a part of a turn, closes the joints again (closing.h), loops as well, and is shortened until e is smaller than
/// before. So from where it is the mechanism goes to the nearest place, and never jumps into another one in which it could be
/// assembled as well. Joints that are driven stay where their drives are at that time.
namespace polhode {

/// The bodies with what is held as near to `target` as may be; the target is what a hand is pushed to (HandRack). They stand still.
MechanismMotion posed(const Mechanism& mechanism, MechanismMotion bodies, const Held& held, const Vector3& target,
                      double time);

/// The bodies where they stand, with these velocities changed as little as the joints and drives ask for at that time.
MechanismMotion keepingJoints(const Mechanism& mechanism, MechanismMotion bodies, double time);

}  // namespace polhode
