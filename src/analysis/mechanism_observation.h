#pragma once

#include "polhode/analysis/observation.h"
#include "system/body_load.h"
#include "system/joint_gaps.h"

#include <map>

namespace polhode {

/// The sums over a mechanism at one instant, except the work, which only an integrator knows.
Balance balanceOf(const JointGaps& gaps, double t, std::span<const MovingPlacement> bodies);

/// All that can be said of a mechanism at one instant, but for the work.
Observation observeMechanism(const Mechanism& mechanism, double t, std::span<const MovingPlacement> bodies);

/// How bodies that are given in their own axes move, along their principal axes.
MechanismMotion mechanismMotion(const Mechanism& mechanism, const std::vector<Body>& bodies);

/// What pulls from outside do to all bodies at their centres of mass: loads, by body, and the pulls of hands, on each or on
/// none. Nothing where there are neither.
std::vector<Wrench> wrenchesOf(const std::map<std::size_t, BodyLoad>& loads, const std::vector<Wrench>& pulls,
                               std::span<const MovingPlacement> bodies);

}  // namespace polhode
