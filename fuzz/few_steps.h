#pragma once

#include "analysis/engine_registry.h"
#include "input.h"
#include "polhode/io/model_file.h"

namespace polhode::fuzz {

constexpr std::size_t mostBodies = 16, mostJoints = 24, mostForces = 24;

inline bool isSmall(const Model& model) {
  return model.bodies.size() <= mostBodies && model.joints.size() <= mostJoints && model.forces.size() <= mostForces;
}

/// A model that was read is simulated for a few steps and looked at, unless that would take long.
inline void simulateAFewSteps(const ModelFile& file) {
  if (!isSmall(file.model)) return;
  const auto simulation = makeEngine(file.model, file.simulation);
  const Stepper& stepper = simulation->stepper();
  for (int i = 0; i < 3 && stepper.time() < file.simulation.end; ++i) {
    simulation->stepper().step();
    simulation->projectState();
    simulation->observe(stepper.time(), stepper.state());
  }
}

}  // namespace polhode::fuzz
