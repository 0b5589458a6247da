#pragma once

#include "analysis/engine.h"

#include <span>

namespace polhode {

/// An engine as the registry knows it: for whom it is, what stands against a model and settings, what it can do, and how it
/// is made. To add one: its file in analysis/engines, with its entry, and its line in engine_registry.cpp.
struct EngineType {
  const char* name;     // "conserving mechanism"
  const char* summary;  // what it moves and how, in a line
  EngineCapabilities capabilities;

  /// Whether a model with this integrator (and formulation) is its business. Where several say so, the first is taken.
  bool (*isMeant)(const Model&, const SimulationSettings&);

  /// Why the model and the settings do not go together, as a sentence; empty where they do. What the capabilities say
  /// already need not be looked at.
  std::string (*obstacle)(const Model&, const SimulationSettings&);

  /// For what has no obstacle.
  std::unique_ptr<Engine> (*make)(const Model&, const SimulationSettings&);
};

/// All engines, the special ones before the general ones.
std::span<const EngineType* const> engineTypes();

/// Whether an engine that takes loads is preferred, where there is a choice.
enum class Loads { none, wanted };

/// The engine that moves such models with the integrator of these settings. Throws InputError for an integrator that does
/// not exist.
const EngineType& engineFor(const Model& model, const SimulationSettings& settings, Loads loads = Loads::none);

/// Why no engine moves the model with these settings; empty where one does.
std::string obstacleOf(const Model& model, const SimulationSettings& settings, Loads loads = Loads::none);

/// The names of all integrators that move the model with these settings otherwise.
std::vector<std::string> fittingIntegrators(const Model& model, const SimulationSettings& settings,
                                            Loads loads = Loads::none);

/// Throws InputError where the model cannot be moved with these settings: names that do not exist or do not fit together,
/// tolerances that say nothing, drives that jump or contradict each other.
void requireFit(const Model& model, const SimulationSettings& settings, Loads loads = Loads::none);

/// Puts a model into the hands of its engine, after requireFit.
std::unique_ptr<Engine> makeEngine(const Model& model, const SimulationSettings& settings, Loads loads = Loads::none);

}  // namespace polhode
