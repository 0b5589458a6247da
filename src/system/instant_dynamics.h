#pragma once

#include "system/instant_forces.h"
#include "system/loop_closure.h"
#include "system/redundancy.h"

#include <memory>
#include <span>
#include <vector>

namespace polhode {

/// Accelerations, reactions and forces of a mechanism at an instant, whatever integrator brought it there: the equations
/// of motion with the joints on the level of accelerations,
///
///     M z'' = f(t, z, z') + G^T lambda,    G z'' = -curvature(t, z, z'),
///
/// by the spanning tree and the joints that close its loops (tree_dynamics.h, loop_closure.h). So a reaction is as accurate
/// as the positions and velocities that it is computed from, and is there at t = 0 as well. Velocities that miss the
/// joints by the error of an integrator are first made to fit them.
///
/// Where joints repeat each other (mobility.h) only the accelerations are determined, and lambda is not: any state of
/// self-stress N z can be added. Of all reactions that move the bodies alike these are the smallest,
///
///     sum over all joints of |force|^2 + |torque|^2 / l^2  ->  min,
///
/// with l the largest distance of a joint's point from the centre of mass of one of its bodies. So two like supports of a
/// symmetric body carry the same load, and no joint is squeezed without need. A state of self-stress belongs to each row
/// that is left out: what the others answer when that one pulls.
///
/// One object must not be used by two threads at a time.
class InstantDynamics {
 public:
  explicit InstantDynamics(std::shared_ptr<const Mechanism> mechanism);

  const Mechanism& mechanism() const { return tree_.mechanism(); }

  /// `loads` from outside act on each body at its centre of mass, in space; none where empty. The result lasts until the
  /// next call. Throws SimulationError where no inertia resists a body.
  const InstantForces& at(double t, const MechanismMotion& bodies, std::span<const Wrench> loads = {});

 private:
  void keepLoads(double t, std::span<const Wrench> loads);
  void restoreLoads();
  void pull(double t, const VectorX& multipliers);
  std::vector<Wrench> respond(double t, int pullingRow, double by);
  void relax(double t);
  double loadScale() const;

  TreeDynamics tree_;
  LoopClosure loops_;
  Redundancy redundancy_;  // which rows are left out is chosen anew as the mechanism moves
  double size_;
  VectorX nu_, u_, nudot_;
  std::vector<Wrench> kept_;  // the nodes' loads before they are reduced
  InstantForces result_;
};

}  // namespace polhode
