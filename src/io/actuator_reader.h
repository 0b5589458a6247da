#pragma once

#include "polhode/model/actuator.h"
#include "polhode/model/model.h"

#include "field.h"

namespace polhode {

/// Reads an [[actuator]] of a body of the model. A file that it names lies beside the model file, in `folder`.
Actuator readActuator(const ModelSection& section, const Model& model, const std::string& folder);

/// The keys of an [[actuator]].
const std::vector<std::string>& actuatorKeys();

}  // namespace polhode
