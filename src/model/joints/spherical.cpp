#include "parts.h"

namespace polhode::joints {

JointType spherical() {
  return {"spherical",
          "A ball in a socket: a point of each body stays on the other, all rotations are free.",
          JointNeeds::point,
          [](const JointGeometry& g) {
            Equations equations;
            coincide(g, equations);
            return equations;
          },
          {{MotionKind::rotation, 0}, {MotionKind::rotation, 1}, {MotionKind::rotation, 2}},
          true,
          {}};
}

}  // namespace polhode::joints
