#pragma once

#include "polhode/math/types.h"

namespace polhode {

/// How the velocities of a body change, in space: of its centre of mass, and of its turning.
struct BodyAcceleration {
  Vector3 linear = Vector3::Zero();
  Vector3 angular = Vector3::Zero();
};

}  // namespace polhode
