#include "parts.h"

namespace polhode::forces {

ForceType jointDamper() {
  return {"joint-damper",
          "Resists the change of a coordinate of a joint.",
          {"joint", "damping"},
          {"coordinate"},
          [](const Force& force, const ForceSite& site) { return alongJoint(force, site); }};
}

}  // namespace polhode::forces
