#pragma once

#include "system/smooth_system.h"

#include <memory>
#include <span>
#include <string_view>

/// Systems that are not made of rigid bodies, by name: those of Kinon & Betsch 2024, sections 5.1 and 5.2.
namespace polhode {

/// A system that can be run by its name, and how it is run if nothing else is said.
struct NamedSystem {
  std::string_view name;
  std::string_view description;
  std::unique_ptr<SmoothSystem> (*make)();
  VectorX (*initialState)();  // (q, v)
  double step;
  double end;
};

/// All of them.
std::span<const NamedSystem> namedSystems();

/// The one of this name. Throws InputError with the known names.
const NamedSystem& namedSystem(std::string_view name);

}  // namespace polhode
