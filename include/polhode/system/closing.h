#pragma once

#include "polhode/system/mechanism_observation.h"

namespace polhode {

/// The bodies moved and turned, by the smallest change in each Gauss-Newton step (smallest_change.h), until the joints are
/// closed to round-off, as at t = 0, or no step closes them any further. Rates stay as they are.
MechanismMotion closedMotion(const Mechanism& mechanism, MechanismMotion bodies);

/// A relative gap (JointOpening) that is nothing but round-off.
constexpr double roundOffGap = 1e-14;

}  // namespace polhode
