#include "parts.h"

namespace polhode::forces {

ForceType damper() {
  return {.name = "damper",
          .summary = "Resists the change of the distance of two points.",
          .actsOn = ActsOn::twoBodies,
          .keys = {bodies(), points(), neededDamping()},
          .make = alongLine,
          .unnoticed = unnoticedAlongLine,
          .problem = directionProblem};
}

}  // namespace polhode::forces
