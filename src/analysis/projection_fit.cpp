#include "polhode/analysis/projection_fit.h"

#include "polhode/error.h"

#include <fmt/format.h>

namespace polhode {

void refuseProjection(const SimulationSettings& settings) {
  if (settings.projection != "none")
    throw InputError(
        fmt::format("projection '{}' does not go with integrator '{}', which stays on the constraints by "
                    "itself; use projection 'none'",
                    settings.projection, settings.integrator));
}

}  // namespace polhode
