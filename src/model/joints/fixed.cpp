#include "parts.h"

namespace polhode::joints {

JointType fixed() {
  return {"fixed",
          "A weld: the bodies move as one.",
          JointNeeds::point,
          [](const JointGeometry& g) {
            Equations equations;
            coincide(g, equations);
            lock(g, equations);
            return equations;
          },
          {},
          true,
          {}};
}

}  // namespace polhode::joints
