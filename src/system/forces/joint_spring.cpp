#include "parts.h"

namespace polhode::forces {

ForceType jointSpring() {
  return {.name = "joint-spring",
          .summary = "A spring on a coordinate of a joint, such as the angle of a hinge between -pi and pi.",
          .actsOn = ActsOn::joint,
          .keys = {joint(), stiffness(), coordinate(), law(), rest("rest"), damping()},
          .make = [](const Force& force, const ForceSite& site) { return alongJoint(force, site); },
          .remembersStart = true};
}

}  // namespace polhode::forces
