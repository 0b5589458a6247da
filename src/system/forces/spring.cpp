#include "parts.h"

#include <fmt/format.h>

namespace polhode::forces {

ForceType spring() {
  return {
      .name = "spring",
      .summary = "Pulls two points together along their line: stiffness or a law, unstretched length, damping.",
      .actsOn = ActsOn::twoBodies,
      .keys = {bodies(), points(), stiffness(), law(), pullsOnly(), pushesOnly(), rest("length"), damping()},
      .make = alongLine,
      .unnoticed = unnoticedAlongLine,
      .problem = [](const Force& force) -> std::optional<Problem> {
        if (!(std::isfinite(force.rest) && force.rest >= 0.0))
          return Problem{"length", fmt::format("has the length {}; it must be finite and not negative", force.rest)};
        return force.rest > 0.0 ? directionProblem(force) : std::nullopt;
      }};
}

}  // namespace polhode::forces
