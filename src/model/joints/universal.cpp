#include "parts.h"

namespace polhode::joints {

JointType universal() {
  return {"universal",
          "A Cardan joint: a cross whose first arm is fixed in the first body and whose second arm in the second.",
          JointNeeds::pointAndTwoAxes,
          [](const JointGeometry& g) {
            Equations equations;
            coincide(g, equations);
            orthogonal(g, 2, 2, equations);
            return equations;
          },
          {{MotionKind::rotation, 2}, {MotionKind::rotation, 2, true}},
          true,
          {}};
}

}  // namespace polhode::joints
