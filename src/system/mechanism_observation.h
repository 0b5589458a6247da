#pragma once

#include "system/mechanism.h"

#include <span>
#include <vector>

/// What can be said of a mechanism at an instant, on the level of directors, whatever moves it.
///
///     T = sum_b m |v|^2 / 2 + sum_i E_i |w_i|^2 / 2,   V = - sum_b m g . x + springs
///     P = sum_b m v,   L = sum_b m x cross v + sum_i E_i d_i cross w_i
///
/// where W = (w1|w2|w3) = D'. For W = omega^ D the kinetic energy is that of the angular velocity omega; the conserving
/// schemes, whose W at the nodes is not of this form, conserve T + V as it stands here.
namespace polhode {

/// All bodies in the order of the mechanism, principal axes.
using MechanismMotion = std::vector<MovingPlacement>;

/// The motion at t = 0.
MechanismMotion initialMotion(const Mechanism& mechanism);

/// A placement and its rate from velocities: v in space, Omega along the body's axes (W = D Omega^).
MovingPlacement movingPlacement(const Placement& at, const Vector3& velocity, const Vector3& angularVelocity);

double kineticEnergy(const Mechanism& mechanism, std::span<const MovingPlacement> bodies);
double potentialEnergy(const Mechanism& mechanism, std::span<const MovingPlacement> bodies);

/// All sums over the bodies, which are passed once.
struct MechanismSums {
  double kineticEnergy = 0.0, potentialEnergy = 0.0;
  Vector3 linearMomentum = Vector3::Zero(), angularMomentum = Vector3::Zero();  // about the origin of space
  Vector3 centreOfMass = Vector3::Zero();                                       // the origin where none has a mass
};
MechanismSums sumsOf(const Mechanism& mechanism, std::span<const MovingPlacement> bodies);

/// The angular velocity of a body along its principal axes: where there is inertia about an axis that which belongs to
/// the angular momentum, elsewhere that of the directors.
Vector3 angularVelocity(const MechanismBody& body, const MovingPlacement& motion);

/// The body of that number, or the ground.
const MovingPlacement& motionOf(std::span<const MovingPlacement> bodies, int index);

/// How large the mechanism is: the largest distance of a joint or a centre of mass from the origin or of a joint from the
/// centres of its bodies.
double mechanismSize(const Mechanism& mechanism);

}  // namespace polhode
