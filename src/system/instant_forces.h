#pragma once

#include "polhode/system/body_acceleration.h"
#include "system/mechanism_observation.h"

#include <vector>

namespace polhode {

/// What acts in a mechanism at an instant.
struct InstantForces {
  MechanismMotion motion;                       // of the bodies, with velocities that fit the joints
  std::vector<BodyAcceleration> accelerations;  // of the bodies
  std::vector<Wrench> reactions;                // what each joint does to its second body, at its point there
  std::vector<ElementWrenches> elements;  // what each force element does to its two bodies, at their centres of mass
};

}  // namespace polhode
