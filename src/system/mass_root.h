#pragma once

#include "system/tree_dynamics.h"

namespace polhode {

/// A root K of the mass matrix of a spanning tree, T^T M T = K K^T, as the reduction of its inertia leaves it behind
/// (tree_dynamics.h):
///
///     K = Psi^-1 L d^1/2,    L d L^T = S^T IA' S joint by joint.
///
/// In eta = K^T nu the kinetic energy is |eta|^2 / 2, and a row J of a joint that closes a loop becomes the column
/// K^-1 J^T: what is orthogonal there is orthogonal in the metric of the kinetic energy (loop_closure.h). K is never
/// formed; each product is a sweep over the tree. All of this after TreeDynamics::reduceInertia.
class MassRoot {
 public:
  explicit MassRoot(TreeDynamics& tree) : tree_(tree) {}

  /// eps = K^-1 times the generalised force of wrenches on two bodies (or the ground), into a column of zeros.
  void reduceWrenches(int firstBody, const Wrench& first, int secondBody, const Wrench& second, double* eps);

  /// eta = K^T nu, and back. Both leave the velocities of the nodes behind.
  void toEta(const double* nu, double* eta);
  void fromEta(const double* eta, double* nu);

  /// u += L d^1/2 eps: a change of eta' as a change of the reduced loads u.
  void addPivoted(const double* eps, double* u) const;

 private:
  TreeJointSpace::Rates feltFromParent(const ArticulatedBody& node) const;
  template <class OnPivot, class OnHinge>
  void atPivot(const ArticulatedBody& node, double* x, const OnPivot& onPivot, const OnHinge& onHinge) const;

  TreeDynamics& tree_;
};

}  // namespace polhode
