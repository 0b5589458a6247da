#pragma once

#include "polhode/system/mechanism_observation.h"

namespace polhode {

/// A mechanism in motion, as the conserving engine carries it.
struct MechanismState {
  double time = 0.0;
  double work = 0.0;  // of loads and dampers since the start
  MechanismMotion bodies;
  VectorX multipliers;  // of all joint rows over the last step: force on the second body along the row's gradient
};

}  // namespace polhode
