#pragma once

#include "system/free_motions.h"

#include <memory>
#include <optional>

/// A mechanism at rest, seen by its true degrees of freedom.
///
/// Each body has a velocity and an angular velocity in space, together u. The joints allow those with G u = 0; the columns of
/// N are a basis of them, orthonormal where velocities count by the size L of the mechanism. Rows that repeat others are left
/// out (redundancy.h). With the weight and the forces of elements at rest as wrenches w on the bodies, u = N s':
///
///     force      F = N^T w,                           which vanishes in an equilibrium
///     mass       M = N^T diag(m, J) N
///     stiffness  K = -N^T d/ds ( w + G^T lambda ),    lambda held: that which balances w across N
///     damping    C = -N^T d/ds' w
///
/// In an equilibrium w + G^T lambda is zero for every body, so that neither the curvature of the joints nor that of turns is
/// missing from K: small motions obey M s'' + C s' + K s = 0. The derivatives are those of the formulas, exact to rounding
/// (varied_motion.h), with bodies that are moved one by one, without closing joints; only forces that a user has written are
/// differenced.
///
/// Turns that nothing resists and that have no inertia (a point mass about itself) are no degrees of freedom here.
///
/// Drives and loads are as at t = 0.
namespace polhode {

/// At one placement.
struct ReducedMotion {
  MatrixX basis;        // N: six rows a body, velocity and angular velocity in space
  VectorX force;        // F
  VectorX multipliers;  // lambda, of all rows of the mechanism; zero for those left out
  MatrixX mass, damping, stiffness;
  double load = 0.0;  // the sum of what acts on all bodies, |force| L + |torque|: what F is to be small against
  int idleTurns = 0;
  double weakest =
      1.0;  // how far the rows of the joints are from depending on each other: near zero in a singular position

  Eigen::Index freedoms() const { return basis.cols(); }

  /// Whether the forces behind the stiffness have a potential: it is symmetric then, but for roundings.
  bool isSymmetric() const { return (stiffness - stiffness.transpose()).norm() <= 1e-8 * stiffness.norm(); }
};

/// One object must not be used by two threads at a time.
class MotionReducer {
 public:
  /// `reach` is a length that counts where the mechanism itself is smaller: that of its springs.
  explicit MotionReducer(std::shared_ptr<const Mechanism> mechanism, double reach = 0.0);

  const Mechanism& mechanism() const { return *mechanism_; }
  double size() const { return size_; }  // L

  /// Where the bodies stand like this, with their joints closed; their velocities count as zero.
  ReducedMotion at(const MechanismMotion& bodies);

  /// The bodies moved and turned by a change (six components each, along the basis there) with the joints closed again to
  /// rounding by the smallest further change. Nothing where they do not close nearby.
  std::optional<MechanismMotion> moved(const MechanismMotion& bodies, const VectorX& change) const;

  /// The largest move, in sizes, or turn of a body, in rad, in a change.
  double largest(const VectorX& change) const;

 private:
  VectorX gaps(const MechanismMotion& bodies) const;
  double worstOpening(const MechanismMotion& bodies) const;

  std::shared_ptr<const Mechanism> mechanism_;
  Redundancy redundancy_;
  double size_;
  double openAtStart_;
};

}  // namespace polhode
