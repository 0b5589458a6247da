#pragma once

#include "polhode/system/mechanism_observation.h"

#include <vector>

namespace polhode {

/// How the velocities of a body change, in space: of its centre of mass, and of its turning.
struct BodyAcceleration {
  Vector3 linear = Vector3::Zero();
  Vector3 angular = Vector3::Zero();
};

/// What acts in a mechanism at an instant.
struct InstantForces {
  MechanismMotion motion;                       // of the bodies, with velocities that fit the joints
  std::vector<BodyAcceleration> accelerations;  // of the bodies
  std::vector<Wrench> reactions;                // what each joint does to its second body, at its point there
  std::vector<ElementWrenches> elements;  // what each force element does to its two bodies, at their centres of mass
};

}  // namespace polhode
