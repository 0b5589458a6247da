#pragma once

#include "system/mechanism_observation.h"

#include <vector>

namespace polhode {

/// The driven angles of a mechanism. The equation of one compares axes by their product, and holds as well where the body has
/// turned over, by half a turn too much; the derivative of the equation by the angle then has the other sign.
class DrivenAngles {
 public:
  explicit DrivenAngles(const Mechanism& mechanism);

  /// The first joint one of whose angles has turned over at that time, or -1; `at(body)` is the placement of a body.
  template <class At>
  int turnedOver(double time, const At& at) const {
    for (const DrivenAngle& angle : angles_) {
      const MechanismJoint& joint = mechanism_.joints()[static_cast<std::size_t>(angle.joint)];
      if (!(angle.slope(time, at(joint.first), at(joint.second)) * angle.sense > 0.0)) return angle.joint;
    }
    return -1;
  }

 private:
  struct DrivenAngle {
    int joint;
    Signal signal;
    JointEquation byAngle;  // the same equation with the angle itself in the place of time
    double sense = 0.0;     // the derivative where the mechanism begins

    double slope(double time, const Placement& first, const Placement& second) const {
      return byAngle.drivenRate(signal.value(time), first, second);
    }
  };

  const Mechanism& mechanism_;
  std::vector<DrivenAngle> angles_;
};

}  // namespace polhode
