#pragma once

#include "polhode/model/model.h"

#include <vector>

namespace polhode {

/// How far the joints of a model are open where its bodies stand as given, computed from nothing but the definitions of the
/// joints: points and axes of the model are fixed in their bodies at t = 0, carried along, and compared. The largest of all,
/// lengths relative to `size`, angles in radians; not a number where anything is. What drives a joint is not looked at.
double independentGap(const Model& model, const std::vector<Body>& bodies, double size);

}  // namespace polhode
