#pragma once

#include "polhode/system/mechanism.h"

/// How a mechanism can move: degrees of freedom, and equations of joints that say what others say already.
///
/// The spanning tree has rates of its own, those that its joints leave free. Each equation of a joint that closes a loop is
/// a linear condition on these rates; the rank of all conditions is what the loops take away. It is judged where the
/// mechanism stands and once more a little further on in an arbitrary motion, since the first position may be singular
/// (Bricard's mechanism, a parallelogram that is stretched out).
namespace polhode {

struct Mobility {
  int treeRates = 0;               // of the spanning tree
  int freedoms = 0;                // of the mechanism
  std::vector<int> redundantRows;  // among all rows of the mechanism (MechanismJoint::firstRow + k)
  bool startsSingular = false;     // more rates are free where it starts than elsewhere

  int redundant() const { return static_cast<int>(redundantRows.size()); }
};

Mobility mobilityOf(const Mechanism& mechanism);

/// A body without mass that can move although no inertia at all resists; -1 where there is none. (A point mass whose spin
/// nothing resists is none: that spin has no effect.)
int unresistedBody(const Mechanism& mechanism);

/// The joint that a row of the mechanism belongs to.
const MechanismJoint& jointOfRow(const Mechanism& mechanism, int row);

}  // namespace polhode
