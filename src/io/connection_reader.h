#pragma once

#include "polhode/model/model.h"

#include <functional>

#include "field.h"

namespace polhode {

/// A body that was read before, by its name; null for "ground" and for a name that no body has.
using FindBody = std::function<const Body*(const std::string& name)>;

/// Reads a [[joint]]. What ModelChecker says of it is left to the caller.
Joint readJoint(const ModelSection& section, const FindBody& findBody);

/// Reads a [[force]] of type "spring". What ModelChecker says of it is left to the caller.
Spring readSpring(const ModelSection& section);

// The keys of a [[joint]] and of a [[force]], those of every type.
const std::vector<std::string>& jointKeys();
const std::vector<std::string>& forceKeys();

}  // namespace polhode
