#pragma once

#include "system/mechanism_observation.h"

namespace polhode {

/// The bodies moved and turned, by the smallest change in each Gauss-Newton step (smallest_change.h), until the joints are
/// closed to round-off, as at t = 0, or no step closes them any further. Rates stay as they are.
///
/// With `accuracy`, a part of the size (redundancy.h), directions in which the joints open by less than this per unit of
/// motion are left alone: a linkage whose axes are parallel up to a rounding is not driven to where the roundings would
/// fit.
/// At a time other than zero driven joints are closed where their drives are then.
MechanismMotion closedMotion(const Mechanism& mechanism, MechanismMotion bodies, double accuracy = 0.0, double t = 0.0);

/// A relative gap (JointOpening) that is nothing but round-off.
constexpr double roundOffGap = 1e-14;

}  // namespace polhode
