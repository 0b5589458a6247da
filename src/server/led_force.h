#pragma once

#include "polhode/model/model.h"

#include <optional>
#include <string>

namespace polhode::live {

/// What a load, a torque or a motor of a model gives where its scale over time is 1: what somebody leads who leads the force
/// (LiveSimulation::leadForce) is a multiple of it.
struct ForceSize {
  std::string name;  // "force", "torque", "effort"
  std::string unit;  // empty where the model gives it over time; then its size is 1
  double size = 1.0;
};

/// Nothing of forces that follow from how the mechanism moves, of those of one's own, and of one that is always nothing.
std::optional<ForceSize> sizeOf(const Force& force, const Model& model);

}  // namespace polhode::live
