#include "parts.h"

namespace polhode::joints {

JointType revolute() {
  return {"revolute",
          "A hinge: the bodies turn against each other about one axis.",
          JointNeeds::pointAndAxis,
          [](const JointGeometry& g) {
            Equations equations;
            coincide(g, equations);
            align(g, equations);
            return equations;
          },
          {{MotionKind::rotation, 2}},
          true,
          {{"angle", MotionKind::rotation, 2}}};
}

}  // namespace polhode::joints
