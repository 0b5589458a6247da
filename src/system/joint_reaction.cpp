#include "polhode/system/joint_reaction.h"

namespace polhode {

Wrench jointReaction(const MechanismJoint& joint, double t, const Placement& first, const Placement& second,
                     const double* multipliers) {
  Wrench reaction;
  for (const JointEquation& equation : joint.equations) {
    const EndGradient end = equation.gradient(t, first, second).second;
    reaction.force += *multipliers * end.onPosition;
    reaction.torque += *multipliers * end.onRotation(second.D);
    ++multipliers;
  }
  const Vector3 arm = second.D * joint.geometry.second.point;
  reaction.torque -= arm.cross(reaction.force);
  return reaction;
}

}  // namespace polhode
