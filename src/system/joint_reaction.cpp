#include "system/joint_reaction.h"

#include "system/joint_coupling.h"

#include <algorithm>

namespace polhode {

template <class Scalar>
WrenchOf<Scalar> jointReaction(const MechanismJoint& joint, double t, const PlacementOf<Scalar>& first,
                               const PlacementOf<Scalar>& second, const double* multipliers) {
  WrenchOf<Scalar> reaction;
  const auto add = [&](double multiplier, const auto& end) {
    reaction.force += multiplier * end.onPosition;
    reaction.torque += multiplier * end.onRotation(second.D);
  };
  if (joint.coupling) {  // what it does to the first joint that it couples
    for (const CouplingTerm& term : joint.coupling->terms())
      if (term.first == joint.first && term.second == joint.second)
        add(*multipliers * term.factor, term.coordinate.slope(first, second).second);
  } else {
    for (const JointEquation& equation : joint.equations)
      add(*multipliers++, equation.gradient(t, first, second).second);
  }
  const Vector<Scalar, 3> arm = second.D * joint.geometry.second.point;
  reaction.torque -= arm.cross(reaction.force);
  return reaction;
}

template Wrench jointReaction(const MechanismJoint&, double, const Placement&, const Placement&, const double*);

namespace {

template <class Scalar>
std::vector<WrenchOf<Scalar>> reactions(const Mechanism& mechanism, double t,
                                        const std::vector<MovingPlacementOf<Scalar>>& bodies,
                                        const VectorX& multipliers) {
  std::vector<WrenchOf<Scalar>> all;
  all.reserve(mechanism.joints().size());
  for (const MechanismJoint& joint : mechanism.joints())
    all.push_back(jointReaction(joint, t, motionOf(bodies, joint.first).at, motionOf(bodies, joint.second).at,
                                multipliers.data() + joint.firstRow));
  return all;
}

}  // namespace

std::vector<Wrench> jointReactions(const Mechanism& mechanism, double t, const MechanismMotion& bodies,
                                   const VectorX& multipliers) {
  return reactions(mechanism, t, bodies, multipliers);
}

std::vector<WrenchOf<Varied>> jointReactions(const Mechanism& mechanism, double t, const VariedMotion& bodies,
                                             const VectorX& multipliers) {
  return reactions(mechanism, t, bodies, multipliers);
}

double reactionLength(const Mechanism& mechanism) {
  double size = 0.0;
  for (const MechanismJoint& joint : mechanism.joints()) {
    if (joint.first != groundIndex) size = std::max(size, joint.geometry.first.point.norm());
    if (joint.second != groundIndex) size = std::max(size, joint.geometry.second.point.norm());
  }
  return size > 0.0 ? size : 1.0;
}

}  // namespace polhode
