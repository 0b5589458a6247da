#pragma once

#include "polhode/system/mechanism.h"

namespace polhode {

/// What a joint does to its second body, in space: the force, and the torque about the joint's point in that body. The
/// first body feels the opposite of both (at that point). `multipliers` are those of the joint's rows.
Wrench jointReaction(const MechanismJoint& joint, double t, const Placement& first, const Placement& second,
                     const double* multipliers);

}  // namespace polhode
