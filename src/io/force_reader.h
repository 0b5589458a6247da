#pragma once

#include "joint_reader.h"

namespace polhode {

/// Reads a [[force]] of any type. What ModelChecker says of it is left to the caller.
Force readForce(const ModelSection& section, const FindBody& findBody);

/// The keys of a [[force]], those of every type.
const std::vector<std::string>& forceKeys();

}  // namespace polhode
