#include "parts.h"

namespace polhode::joints {

JointType distance() {
  return {"distance",
          "A massless rod with ball ends: two points keep their distance.",
          JointNeeds::twoPoints,
          [](const JointGeometry& g) {
            Equations equations;
            equations.push_back({squaredDistanceForm(g.first.point, g.second.point), g.length * g.length});
            return equations;
          },
          {},
          false,
          {}};
}

}  // namespace polhode::joints
