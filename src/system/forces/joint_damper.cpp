#include "parts.h"

namespace polhode::forces {

ForceType jointDamper() {
  return {.name = "joint-damper",
          .summary = "Resists the change of a coordinate of a joint.",
          .actsOn = ActsOn::joint,
          .keys = {joint(), neededDamping(), coordinate()},
          .make = [](const Force& force, const ForceSite& site) { return alongJoint(force, site); }};
}

}  // namespace polhode::forces
