#pragma once

#include "field.h"
#include "polhode/model/model.h"

namespace polhode {

/// Reads a [[body]]. What bodyProblem() of model/validation.h says is left to the caller.
Body readBody(const ModelSection& section);

/// The body where its `start` has it, or where it is drawn.
Body readStart(const ModelSection& section, Body body);

/// The keys of a [[body]].
const std::vector<std::string>& bodyKeys();

}  // namespace polhode
