#pragma once

#include "polhode/analysis/simulation.h"
#include "polhode/system/mechanism_observation.h"

namespace polhode {

/// All that can be said of a mechanism at one instant, except the work, which only an integrator knows.
Observation observeMechanism(const Mechanism& mechanism, double t, std::span<const MovingPlacement> bodies);

/// How bodies that are given in their own axes move, along their principal axes.
MechanismMotion mechanismMotion(const Mechanism& mechanism, const std::vector<Body>& bodies);

}  // namespace polhode
