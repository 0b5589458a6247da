#pragma once

#include "analysis/modes.h"
#include "polhode/model/simulation.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

/// What the small motions of a model are told about, and they themselves: one rule for the command line and for Python.
///
///     a time was asked for           the motion that a run with the model's settings reaches then, with its velocities
///     the model starts in a          that motion, as it is seen from a frame that turns with it
///       steady motion
///     otherwise                      the equilibrium that is found from the start, velocities left aside
namespace polhode {

struct SmallMotions {
  enum class About { equilibrium, steadyMotion, instant };

  About about = About::equilibrium;
  double time = 0.0;
  bool isStart = false;                    // the model starts there
  std::optional<Equilibrium> equilibrium;  // where one was sought
  std::optional<LinearMotion> motion;      // where a motion was linearised
  std::vector<std::string> held;           // what was left aside, in sentences
  std::shared_ptr<const Mechanism> mechanism;
  double reach = 0.0;  // springReach
  double size = 1.0;   // what displacements are measured by beside turns
  Modes modes;
  Observation observation;  // with forces and reactions

  Eigen::Index freedoms() const { return motion ? motion->freedoms() : equilibrium->reduced.freedoms(); }

  /// Loops are stretched out or folded up there, and more can move than elsewhere.
  bool isSingular() const { return motion ? motion->weakest < 1e-6 : equilibrium->isSingular(); }

  /// The matrices of it, for an equilibrium as well.
  LinearMotion linearised() const;
};

struct SmallMotionsAsked {
  std::optional<double> at;  // s
  bool atStart = false;      // the start itself, which must be an equilibrium
};

/// Throws InputError for a time before the start, SimulationError where the run fails or there is no equilibrium.
SmallMotions smallMotions(const Model& model, const SimulationSettings& settings, const SmallMotionsAsked& asked = {});

}  // namespace polhode
