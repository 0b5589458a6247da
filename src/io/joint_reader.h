#pragma once

#include "field.h"
#include "polhode/model/model.h"
#include "system/starting_position.h"

#include <array>
#include <functional>

namespace polhode {

/// A body that was read before, by its name; null for "ground" and for a name that no body has.
using FindBody = std::function<const Body*(const std::string& name)>;

/// Reads a [[joint]]. What ModelChecker says of it is left to the caller.
Joint readJoint(const ModelSection& section, const FindBody& findBody);

/// Reads the coordinates and rates that a joint starts with, start = { angle = 0.3, angle_rate = 2 }; none where it says
/// nothing of them.
std::optional<JointStart> readStart(const ModelSection& section, const Joint& joint);

/// The names of the two bodies that something connects, bodies = ["ground", "top"].
std::array<std::string, 2> readEnds(const Field& bodies);

/// The keys of a [[joint]], those of every type.
const std::vector<std::string>& jointKeys();

}  // namespace polhode
