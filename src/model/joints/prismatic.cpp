#include "parts.h"

namespace polhode::joints {

JointType prismatic() {
  return {"prismatic",
          "A slide: the second body moves along one axis of the first and does not turn.",
          JointNeeds::pointAndAxis,
          [](const JointGeometry& g) {
            Equations equations;
            hold(g, 0, equations);
            hold(g, 1, equations);
            lock(g, equations);
            return equations;
          },
          {{MotionKind::translation, 2}},
          true,
          {{"displacement", MotionKind::translation, 2}}};
}

}  // namespace polhode::joints
