#include "parts.h"

namespace polhode::joints {

JointType planar() {
  return {"planar",
          "A puck on a table: the second body slides in the plane normal to the axis and turns about the normal.",
          JointNeeds::pointAndAxis,
          [](const JointGeometry& g) {
            Equations equations;
            hold(g, 2, equations);
            align(g, equations);
            return equations;
          },
          {{MotionKind::translation, 0}, {MotionKind::translation, 1}, {MotionKind::rotation, 2}},
          true,
          {{"x", MotionKind::translation, 0}, {"y", MotionKind::translation, 1}, {"angle", MotionKind::rotation, 2}}};
}

}  // namespace polhode::joints
