#pragma once

#include "polhode/model/simulation.h"

namespace polhode {

/// For integrators that stay on the constraints by themselves: throws InputError where a projection is asked for.
void refuseProjection(const SimulationSettings& settings);

}  // namespace polhode
