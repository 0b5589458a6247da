#pragma once

#include "value.h"

#include <string>

namespace polhode {

/// Replaces one value of a document: "body.top.mass=2" sets the key `mass` of the [[body]] named "top",
/// "simulation.end=3" the key `end` of [simulation]. Tables on the way that are missing are made.
/// Throws an InputError that names the override where it is malformed or names what is not there.
void applyOverride(Value& document, const std::string& text);

}  // namespace polhode
