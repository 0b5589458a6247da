#pragma once

#include "polhode/model/model.h"

#include <vector>

namespace polhode {

/// The model as it stands now: bodies where they are and as they move, and the points and axes of joints and forces,
/// which a model gives in space at its beginning, carried along by the bodies that they belong to; what is given over time
/// goes on from `time`. What is simulated from it goes on from there. `bodies` are those of an observation, in the model's
/// order. Throws InputError for what remembers how the mechanism stood at its beginning: actuators, bushings, joints that are
/// driven, and springs on the coordinate of a joint.
Model presentModel(const Model& beginning, double time, const std::vector<Body>& bodies);

/// Where that point of a body is which was at `point` when the body was at `then`.
Vector3 carriedPoint(const Body& then, const Body& now, const Vector3& point);

}  // namespace polhode
