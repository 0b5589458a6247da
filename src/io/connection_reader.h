#pragma once

#include "polhode/model/model.h"

#include "field.h"

namespace polhode {

/// Reads a [[joint]]. What jointProblem() of model/validation.h says is left to the caller.
Joint readJoint(const ModelSection& section);

/// Reads a [[force]] of type "spring". What springProblem() of model/validation.h says is left to the caller.
Spring readSpring(const ModelSection& section);

// The keys of a [[joint]] and of a [[force]], those of every type.
const std::vector<std::string>& jointKeys();
const std::vector<std::string>& forceKeys();

}  // namespace polhode
