#include "parts.h"

namespace polhode::forces {

ForceType jointSpring() {
  return {"joint-spring",
          "A spring on a coordinate of a joint, such as the angle of a hinge between -pi and pi.",
          {"joint", "stiffness"},
          {"coordinate", "law", "rest", "damping"},
          [](const Force& force, const ForceSite& site) { return alongJoint(force, site); }};
}

}  // namespace polhode::forces
