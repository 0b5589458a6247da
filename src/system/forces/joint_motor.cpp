#include "parts.h"

namespace polhode::forces {

ForceType jointMotor() {
  return {"joint-motor",
          "Drives a coordinate of a joint with a torque or a force, times a scale over time.",
          {"joint", "effort"},
          {"coordinate", "scale"},
          [](const Force& force, const ForceSite& site) {
            const double effort = force.effort;
            if (force.scale.isConstant()) return alongJoint(force, site, Signal(effort * force.scale.value(0.0)));
            const Signal scale = force.scale;
            return alongJoint(force, site, Signal::function([=](double t) { return effort * scale.value(t); }));
          }};
}

}  // namespace polhode::forces
