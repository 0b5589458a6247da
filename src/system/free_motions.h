#pragma once

#include "system/free_directions.h"
#include "system/varied_motion.h"

#include <vector>

/// The motions that the joints of a mechanism leave free at an instant (free_directions.h) and that move an inertia: turns that
/// nothing resists since they have none (a point mass about itself) are left out of the basis N.
namespace polhode {

class FreeMotions {
 public:
  FreeMotions(const Mechanism& mechanism, const Redundancy& redundancy, double t, const MechanismMotion& bodies,
              double size);

  const FreeDirections& directions() const { return directions_; }
  const MatrixX& basis() const { return basis_; }  // N: six rows a body
  const MatrixX& mass() const { return mass_; }    // N^T diag(m, J) N
  int idleTurns() const { return idleTurns_; }

  /// The x of velocities u along N: N (coordinates u) = u for a u that the joints allow.
  MatrixX coordinates(const MatrixX& u) const;

 private:
  FreeDirections directions_;
  MatrixX basis_, mass_;
  int idleTurns_ = 0;
};

/// diag(m, J) times columns of velocities, or accelerations.
MatrixX timesInertia(const Mechanism& mechanism, const MechanismMotion& bodies, MatrixX u);
VectorXOf<Varied> timesInertia(const Mechanism& mechanism, const VariedMotion& bodies, VectorXOf<Varied> u);

/// Bodies moved and turned by a fraction of a change of six components each, joints as they may.
MechanismMotion displaced(MechanismMotion bodies, const VectorX& change, double fraction);

/// Bodies that move by these velocities.
MechanismMotion movingBy(MechanismMotion bodies, const VectorX& velocities);

/// The velocities of bodies, six components each.
VectorX velocitiesOf(const MechanismMotion& bodies);
VectorXOf<Varied> velocitiesOf(const VariedMotion& bodies);

/// What acts on each body at its centre of mass: elements, and joints by their multipliers. Weight, which is the same
/// everywhere, is not among it.
VectorX wrenchesOn(const Mechanism& mechanism, double t, const MechanismMotion& bodies, const VectorX& multipliers);
VectorXOf<Varied> wrenchesOn(const Mechanism& mechanism, double t, const VariedMotion& bodies,
                             const VectorX& multipliers);

}  // namespace polhode
