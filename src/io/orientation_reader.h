#pragma once

#include "field.h"
#include "polhode/math/types.h"

namespace polhode {

/// Reads `orientation`, a table with one of axis (with degrees or radians), quaternion, euler313, cardan and
/// matrix, as a unit quaternion. Quaternions and matrices that are rotations but for a rounding are polished;
/// others throw an InputError.
Quaternion readOrientation(const Field& field);

}  // namespace polhode
