#pragma once

#include "joint_reader.h"

namespace polhode {

/// Reads a [[force]] of any type. What ModelChecker says of it is left to the caller.
Force readForce(const ModelSection& section, const FindBody& findBody);

/// The keys of a [[force]], those of every type.
const std::vector<std::string>& forceKeys();

/// Whether a spring is to be relaxed where it is at t = 0: length = "initial", rest = "initial".
bool isRelaxedAtTheStart(const ModelSection& section);

}  // namespace polhode
