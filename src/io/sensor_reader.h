#pragma once

#include "field.h"
#include "polhode/model/model.h"

namespace polhode {

/// Reads a [[sensor]] of a model whose bodies, joints and forces are read. What it measures is looked up later.
Sensor readSensor(const ModelSection& section, const Model& model);

/// The keys of a [[sensor]].
const std::vector<std::string>& sensorKeys();

}  // namespace polhode
