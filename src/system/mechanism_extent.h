#pragma once

#include "system/mechanism.h"

namespace polhode {

/// How large a mechanism is and where, at t = 0: what errors of positions are measured against. In contrast to the distance
/// from the origin of space it does not depend on where the mechanism stands.
struct MechanismExtent {
  /// The diagonal of the box that holds all centres of mass, with their radii of gyration, and all points of joints; the
  /// distance from the origin where that is less.
  double size = 1.0;

  /// The middle of that box where the mechanism stands ten times further away from the origin than it is large, otherwise zero.
  Vector3 origin = Vector3::Zero();
};

MechanismExtent extentOf(const Mechanism& mechanism);

}  // namespace polhode
