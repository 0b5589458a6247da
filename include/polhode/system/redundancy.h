#pragma once

#include "polhode/system/mechanism_observation.h"

/// Which joint equations follow from the others where the mechanism stands. The joints of the spanning tree are always
/// independent; a joint that closes a loop asks for what the tree's free motions q can do, G_cut T dq = 0, and rows of
/// G_cut T that depend on the others are redundant (in planar loops of hinges, in Bricard's mechanism, ...).
namespace polhode {

struct RedundantRow {
  int joint;  // number in the mechanism
  int row;    // of its equations
};

struct Mobility {
  int degreesOfFreedom = 0;
  std::vector<RedundantRow> redundant;  // in the order of the joints; which one of dependent rows is named is a choice
};

/// The degrees of freedom and the redundant rows in this position.
Mobility mobility(const Mechanism& mechanism, std::span<const MovingPlacement> bodies);

}  // namespace polhode
