#include "parts.h"

namespace polhode::forces {

ForceType jointMotor() {
  return {"joint-motor",
          "Drives a coordinate of a joint with a torque or a force, times a scale over time.",
          {"joint", "effort"},
          {"coordinate", "scale"},
          [](const Force& force, const ForceSite& site) { return alongJoint(force, site, force.scale); }};
}

}  // namespace polhode::forces
