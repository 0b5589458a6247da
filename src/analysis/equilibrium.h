#pragma once

#include "polhode/analysis/observation.h"
#include "system/reduced_motion.h"

#include <cstdint>
#include <string>
#include <vector>

/// Where a mechanism rests: the forces along its true degrees of freedom vanish (system/reduced_motion.h), loops and joints
/// that repeat each other included. Drives stay where they are at t = 0, loads and motors are as they are then, and nobody
/// leads the mechanism by actuators.
///
/// From where the model starts the search goes downhill: Newton's steps K s = F, with the absolute values of the stiffnesses,
/// of at most 0.3 rad, each shortened until the forces have done work; at the end pure Newton's steps down to rounding. So
/// it finds an equilibrium that is stable, unless the model starts in one that is not.
namespace polhode {

struct Equilibrium {
  MechanismMotion bodies;   // at rest
  ReducedMotion reduced;    // there
  Observation observation;  // there, with forces and reactions; time zero

  /// Eigenvalues of the reduced stiffness relative to the reduced mass, in 1/s^2, in ascending order: squares of circular
  /// frequencies where nothing damps, negative where it falls. Those of neutral motions are zero.
  std::vector<double> stiffness;

  int neutral = 0;       // motions that nothing resists nor drives
  int rigid = 0;         // of these, motions of all bodies as one
  bool flutter = false;  // forces without a potential let a motion grow
  bool atStart = false;  // the model stands there already
  int steps = 0;

  /// Where loops are stretched out or folded up the mechanism has more motions than elsewhere, of which the stiffness does
  /// not tell the truth.
  bool isSingular() const { return reduced.weakest < 1e-6; }

  bool isUnstable() const { return flutter || (!stiffness.empty() && stiffness.front() < 0.0); }

  /// Every motion is resisted, but for neutral ones, if there are any that are.
  bool isStable() const { return !isUnstable() && (stiffness.empty() || stiffness.back() > 0.0); }
};

/// How many of these motions (columns, six rows a body) move all bodies as one: the dimension that they share with the six
/// motions of a rigid body.
int rigidMotions(MatrixX moves, const MechanismMotion& bodies, double size);

/// The longest spring, which lengths are measured by where the mechanism itself is smaller.
double springReach(const Model& model);

/// The model with all that is given over time held as at t = 0, without actuators, and at rest.
Model heldModel(const Model& model);

/// What that leaves aside of a model, a sentence for each kind: "driven joints are held as at t = 0".
std::vector<std::string> heldWords(const Model& model);

class EquilibriumSearch {
 public:
  explicit EquilibriumSearch(const Model& model);

  const Model& model() const { return model_; }  // as it is held
  const Mechanism& mechanism() const { return *mechanism_; }
  double size() const { return reducer_.size(); }  // what moves are measured by beside turns

  /// From where the model starts. Throws SimulationError, naming what accelerates, where there is none or none is found.
  Equilibrium fromStart();

  /// From where the model starts and from `starts - 1` placements more, at random along its free directions: all that are
  /// different, the lowest potential energy first. Where only neutral motions lie between two they are one. Throws as above
  /// where none is found at all.
  std::vector<Equilibrium> fromStarts(int starts, std::uint64_t seed = 1);

  /// The start itself. Throws SimulationError where that is no equilibrium.
  Equilibrium atStart();

 private:
  Equilibrium descend(MechanismMotion bodies, bool isStart);
  MechanismMotion polished(MechanismMotion bodies);
  Equilibrium described(MechanismMotion bodies);
  MechanismMotion somewhere(std::uint64_t seed);
  double energyGain(const MechanismMotion& from, const MechanismMotion& to) const;
  std::string accelerationWords(const ReducedMotion& reduced) const;
  bool isSame(const Equilibrium& a, const Equilibrium& b) const;

  Model model_;
  std::shared_ptr<const Mechanism> mechanism_;
  MotionReducer reducer_;
};

}  // namespace polhode
