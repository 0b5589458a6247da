#include "parts.h"

namespace polhode::forces {

ForceType spring() {
  return {"spring",
          "Pulls two points together along their line: stiffness or a law, unstretched length, damping.",
          {"bodies", "points", "stiffness"},
          {"law", "length", "damping"},
          alongLine};
}

}  // namespace polhode::forces
