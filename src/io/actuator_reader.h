#pragma once

#include "field.h"
#include "polhode/model/actuator.h"
#include "polhode/model/model.h"

namespace polhode {

/// Whether an [[actuator]] applies a force, a torque or an effort that is given over time, instead of leading something.
bool isKinetic(const ModelSection& section);

/// Reads such an actuator, as the force that it is.
Force readKineticActuator(const ModelSection& section, const Model& model);

/// Reads one that leads something along a signal.
Actuator readActuator(const ModelSection& section, const Model& model);

/// The keys of an [[actuator]].
const std::vector<std::string>& actuatorKeys();

}  // namespace polhode
