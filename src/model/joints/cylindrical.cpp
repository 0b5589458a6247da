#include "parts.h"

namespace polhode::joints {

JointType cylindrical() {
  return {"cylindrical",
          "A rod in a sleeve: the bodies move along one axis and turn about it.",
          JointNeeds::pointAndAxis,
          [](const JointGeometry& g) {
            Equations equations;
            hold(g, 0, equations);
            hold(g, 1, equations);
            align(g, equations);
            return equations;
          },
          {{MotionKind::translation, 2}, {MotionKind::rotation, 2}},
          true,
          {{"displacement", MotionKind::translation, 2}, {"angle", MotionKind::rotation, 2}}};
}

}  // namespace polhode::joints
