#pragma once

#include "polhode/analysis/observation.h"
#include "system/body_load.h"
#include "system/mechanism_observation.h"

#include <map>

namespace polhode {

/// The sums over a mechanism at one instant, except the work, which only an integrator knows.
Balance balanceOf(const Mechanism& mechanism, double t, std::span<const MovingPlacement> bodies);

/// All that can be said of a mechanism at one instant, but for the work.
Observation observeMechanism(const Mechanism& mechanism, double t, std::span<const MovingPlacement> bodies);

/// How bodies that are given in their own axes move, along their principal axes.
MechanismMotion mechanismMotion(const Mechanism& mechanism, const std::vector<Body>& bodies);

/// What pulls from outside, by body, do to all bodies at their centres of mass; nothing where there is none.
std::vector<Wrench> wrenchesOf(const std::map<std::size_t, BodyLoad>& loads, std::span<const MovingPlacement> bodies);

}  // namespace polhode
