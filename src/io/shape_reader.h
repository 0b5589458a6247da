#pragma once

#include "field.h"
#include "polhode/model/shape.h"

namespace polhode {

/// Reads `shape`, a table with one solid: { cone = { radius = 0.05, height = 0.1 } }.
Shape readShape(const Field& field);

}  // namespace polhode
