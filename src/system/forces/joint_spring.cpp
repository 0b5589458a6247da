#include "parts.h"
#include "system/joint_state.h"

namespace polhode::forces {

ForceType jointSpring() {
  return {.name = "joint-spring",
          .summary = "A spring on a coordinate of a joint, such as the angle of a hinge between -pi and pi.",
          .actsOn = ActsOn::joint,
          .keys = {joint(), stiffness(), coordinate(), law(), pullsOnly(), pushesOnly(), rest("rest"), damping()},
          .make = [](const Force& force, const ForceSite& site) { return alongJoint(force, site); },
          .remembersStart = true,
          .startElsewhere =
              [](Force& force, const ForceSite& site, const Placement& first, const Placement& second) {
                const JointCoordinateInfo& coordinate = site.coordinate(force);
                if (coordinate.kind == MotionKind::translation) return;  // between points of the bodies
                force.rest -= jointCoordinate(site.joint(force), coordinate, first, second);
              }};
}

}  // namespace polhode::forces
