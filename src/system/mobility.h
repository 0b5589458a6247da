#pragma once

#include "system/mechanism.h"

/// How a mechanism can move: degrees of freedom, and equations of joints that say what others say already (redundancy.h).
namespace polhode {

struct Mobility {
  int treeRates = 0;               // of the spanning tree
  int freedoms = 0;                // of the mechanism
  std::vector<int> redundantRows;  // among all rows of the mechanism (MechanismJoint::firstRow + k)
  std::vector<double> roundings;   // by how much each of them is no exact repetition (Redundancy::roundings)
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
