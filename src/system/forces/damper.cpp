#include "parts.h"

namespace polhode::forces {

ForceType damper() {
  return {
      "damper", "Resists the change of the distance of two points.", {"bodies", "points", "damping"}, {}, alongLine};
}

}  // namespace polhode::forces
