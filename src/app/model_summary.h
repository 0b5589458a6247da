#pragma once

#include "polhode/model/model.h"

#include <string>

namespace polhode::app {

/// Whether a model has so many bodies that its parts are told only where they are asked for, with --bodies.
inline bool isLarge(const Model& model) {
  return model.bodies.size() > 20;
}

constexpr const char* bodiesFlagHelp = "Tell each body, joint and force of a model with more than 20 bodies as well";

/// What a large model is made of, in a few lines: how many parts there are, and of which types.
std::string summaryOfParts(const Model& model);

}  // namespace polhode::app
