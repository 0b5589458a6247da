#pragma once

#include "system/varied_motion.h"

#include <vector>

namespace polhode {

/// What a joint does to its second body, in space: the force, and the torque about the joint's point in that body. The
/// first body feels the opposite of both (at that point). `multipliers` are those of the joint's rows. Of a coupling: what it
/// does to the second body of the first joint that it couples. With placements that carry their change (varied_motion.h) it
/// carries its own, the multipliers held.
template <class Scalar>
WrenchOf<Scalar> jointReaction(const MechanismJoint& joint, double t, const PlacementOf<Scalar>& first,
                               const PlacementOf<Scalar>& second, const double* multipliers);

/// The same for all joints, from the multipliers of all rows.
std::vector<Wrench> jointReactions(const Mechanism& mechanism, double t, const MechanismMotion& bodies,
                                   const VectorX& multipliers);
std::vector<WrenchOf<Varied>> jointReactions(const Mechanism& mechanism, double t, const VariedMotion& bodies,
                                             const VectorX& multipliers);

/// The length that makes forces and torques of reactions comparable: the largest distance of a joint's point from the
/// centre of mass of one of its bodies.
double reactionLength(const Mechanism& mechanism);

}  // namespace polhode
