#include "parts.h"

namespace polhode::forces {

ForceType jointMotor() {
  return {.name = "joint-motor",
          .summary = "Drives a coordinate of a joint with a torque or a force, times a scale over time.",
          .actsOn = ActsOn::joint,
          .keys = {joint(),
                   {"effort", [](Force& force, const double& number) { force.effort = number; }, "effort = 5.0"},
                   coordinate(),
                   scale()},
          .make = [](const Force& force, const ForceSite& site) { return alongJoint(force, site, force.scale); },
          .bringsEnergy = true};
}

}  // namespace polhode::forces
