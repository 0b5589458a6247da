#pragma once

#include "analysis/observable.h"
#include "ensemble/gpu/walk_parts.h"

#include <optional>
#include <span>

/// Quantities that are read off the motion of a mechanism alone: its energy, positions, velocities and angular velocities of its
/// bodies. A whole observation (polhode/analysis/observation.h) takes as long as several steps in lanes.
namespace polhode::ensemble {

/// Nothing where an observable is something else, or that of a body that is fixed to another one and so has no motion of its own
/// for a GPU.
std::optional<Watched> watchedBy(const Observable& observable, const Model& model);

/// The same number as an observation of that motion has.
double valueOf(const Watched& watched, const Mechanism& mechanism, std::span<const MovingPlacement> bodies);

}  // namespace polhode::ensemble
