#pragma once

#include "system/mechanism_observation.h"

/// The power of what changes the energy of a mechanism: forces that are not conservative (loads, torques, motors, dampers)
/// and joints that are driven,
///
///     P = sum (force . v + torque . omega) + sum lambda (grad g . z'),     grad g . z' = -g_t
///
/// A damper may have a spring besides, as part of one element. P holds the power of both; the work that the energy (which
/// counts all springs) balances is the integral of P and what such elements have stored,
///
///     E(t) - E(0) = int P dt + stored(t) - stored(0).
namespace polhode {

/// Whether there is any of these.
bool hasWorkers(const Mechanism& mechanism);

double powerOfForces(const Mechanism& mechanism, double t, std::span<const MovingPlacement> bodies);

/// `pulls` are the multipliers lambda of all joint rows.
double powerOfDrives(const Mechanism& mechanism, double t, std::span<const MovingPlacement> bodies,
                     const VectorX& pulls);

/// The potential energy of those forces that are not conservative.
double storedByWorkers(const Mechanism& mechanism, std::span<const MovingPlacement> bodies);

}  // namespace polhode
