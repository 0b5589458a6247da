#pragma once

#include "field.h"
#include "polhode/model/model.h"

namespace polhode {

/// Reads a [[body]]. What bodyProblem() of model/validation.h says is left to the caller.
Body readBody(const ModelSection& section);

/// The keys of a [[body]].
const std::vector<std::string>& bodyKeys();

}  // namespace polhode
