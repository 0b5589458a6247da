#pragma once

#include "control/hand.h"
#include "system/mechanism.h"

namespace polhode {

/// What somebody takes hold of who knows bodies and joints by their numbers in the model. Each throws InputError, or std::out_of_range,
/// where there is no such thing.

/// A point of a body, in the body's own axes, from its centre of mass.
Held heldPoint(const Mechanism& mechanism, std::size_t body, const Vector3& point);

/// The orientation of a body, which is led away from this one. A body without moments of inertia has none.
Held heldOrientation(const Mechanism& mechanism, std::size_t body, const Quaternion& orientation);

/// A coordinate of a joint, by its number in the joint's type.
Held heldCoordinate(const Mechanism& mechanism, std::size_t joint, std::size_t coordinate);

}  // namespace polhode
