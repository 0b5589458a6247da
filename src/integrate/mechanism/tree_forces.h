#pragma once

#include "integrate/mechanism/mechanism_state.h"
#include "integrate/mechanism/tree_loops.h"

/// Force elements of a tree of balls and hinges (loop_tree.h): between a body and the ground, where all of their derivative
/// belongs to the body, and across a hinge. Of these only the torque about the hinge's point is left for the elimination, and
/// it changes with the turns of both bodies alone: with z_c = p + a x t_c and z_p = p + b x t_p for a point p that moves
/// both, whatever moves them alike changes nothing.
namespace polhode {

class TreeForces {
 public:
  /// Whether every force is one of these.
  static bool fit(const Mechanism& mechanism);

  TreeForces(const Mechanism& mechanism, const std::vector<int>& nodeOf) : mechanism_(mechanism), nodeOf_(nodeOf) {}

  /// Adds what the forces pull over the step, and how this changes, if the matrix is asked for.
  void add(bool withMatrix, const MechanismState& state, double h, const TreeKernel<double>& kernel,
           TreeLoops& loops) const;

  /// The work of what is not conserved.
  double work(const MechanismState& state, double h, const TreeKernel<double>& kernel) const;

 private:
  ElementStep over(const ForceElement& force, const MechanismState& state, double h,
                   const TreeKernel<double>& kernel) const;

  const Mechanism& mechanism_;
  const std::vector<int>& nodeOf_;
};

}  // namespace polhode
