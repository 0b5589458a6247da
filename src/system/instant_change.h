#pragma once

#include "system/motion_equations.h"

#include <memory>
#include <optional>
#include <vector>

/// How the accelerations and the reactions of a mechanism at an instant change with where its bodies are, how they move and what
/// pulls at them: the derivatives of the equations that instant_dynamics.h solves,
///
///     diag(m, J) da = d(balance) + dp + G^T dlambda,    G da = -d(rateChanges)          (motion_equations.h)
///
/// with accelerations and multipliers held in d(.), and p what pulls from outside.
///
/// Where joints repeat each other the reactions are the smallest ones, r = B (lambda + S z) with T^T r = 0, T = B S: B says what
/// multipliers do as reactions, and the columns of S are states of self-stress, G^T S = 0, one for each row that is left out.
/// So G^T dS = -d(G^T) S, and
///
///     dr = d(B lambda) + d(B S) z + T dz,    T^T T dz = -T^T (d(B lambda) + d(B S) z) - d(B S)^T r.
namespace polhode {

class InstantChange {
 public:
  /// About this motion, whose velocities fit the joints.
  InstantChange(std::shared_ptr<const Mechanism> mechanism, double t, const MechanismMotion& bodies);

  struct Changes {
    VectorX accelerations;          // da, in space: six components a body
    std::vector<Wrench> reactions;  // of each joint, as in InstantForces
  };

  /// `moving` is the motion with its change, dp the change of what pulls at each body, six components.
  Changes along(const VariedMotion& moving, const VectorX& pull) const;

  const VectorX& accelerations() const { return accelerations_; }

 private:
  std::vector<Wrench> reactionChanges(const VariedMotion& moving, const VectorX& multiplierChange) const;
  VectorX stacked(const std::vector<Wrench>& reactions) const;
  VectorX reactionsOf(const VectorX& multipliers) const;
  VectorX reactionsOf(const VariedMotion& moving, const VectorX& multipliers) const;
  void findSelfStress();

  std::shared_ptr<const Mechanism> mechanism_;
  double time_;
  MechanismMotion bodies_;
  Redundancy redundancy_;
  MotionEquations equations_;
  double length_;  // that makes torques comparable with forces
  std::optional<FreeMotions> free_;
  VectorX accelerations_, multipliers_;
  MatrixX selfStress_;     // S
  MatrixX stressed_;       // T
  VectorX share_, least_;  // z and r
};

}  // namespace polhode
