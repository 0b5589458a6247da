#pragma once

#include "system/joint_row.h"
#include "system/mass_root.h"

#include <vector>

namespace polhode {

/// The joints that close loops on top of a spanning tree: their rows J nu + g_t = 0 restrict the rates of the tree (g_t
/// is zero but for joints that are driven). With K a root of the tree's mass matrix, eta = K^T nu (mass_root.h), Y = K^-1 J^T
/// and its range spanned by the orthonormal columns of Q,
///
///     eta -> (I - Q Q^T) eta - Q R^-T g_t    is the orthogonal projection, in the metric of the kinetic energy, onto the
///                                     rates that the loops allow;
///     eta' -> eta' - Q R^-T r         is the acceleration that they allow, nearest to eta' (Gauss' principle), r the
///                                     rows' accelerations s'' at eta'.
///
/// Q R is a decomposition with column pivoting. No basis of the null space is chosen, so nothing has to be switched when
/// the mechanism passes a singular position: there the rank of R drops, and the rows without a pivot are left out for
/// this instant. Velocities are left as they are along directions with small pivots already: where positions have
/// drifted by e, rates that satisfy G v = 0 exactly follow the hyperbola that g = e is near a singular position, and turn
/// back within sqrt(e) of it; the rates themselves, which the accelerations keep right, go through.
///
/// Rows that depend on the others everywhere (a planar loop of hinges in space, Bricard's mechanism) are left out
/// (redundancy.h). The rank must not be judged anew each time: where positions have drifted by a rounding these rows no
/// longer depend on the others exactly. Which ones are left out may be changed between steps.
class LoopClosure {
 public:
  /// Leaves out what Redundancy finds where the mechanism starts.
  explicit LoopClosure(TreeDynamics& tree);

  bool empty() const { return rows_.empty(); }

  /// Leaves these rows of the mechanism (MechanismJoint::firstRow + k) out, which repeat what others say.
  void leaveOut(const std::vector<int>& rows);
  const std::vector<int>& redundantRows() const { return redundant_; }

  /// Degrees of freedom: rates of the tree less independent rows.
  int freedoms() const { return tree_.rates() - static_cast<int>(rows_.size()); }

  /// Y and its decomposition, after tree.reduceInertia.
  void factorise(double t);

  /// nu as near as the loops allow; leaves the velocities of the nodes behind.
  void project(double t, const double* nu, double* projected);

  /// Changes u and nu' so that the loops stay closed; after tree.setAccelerations.
  void closeAccelerations(double t, double* u, double* nudot);

  /// The multipliers mu of all cut rows by their row in the mechanism, rows left out zero: the rows pull with
  /// mu grad s. After closeAccelerations.
  VectorX multipliers() const;

 private:
  double acceleration(double t, const JointRow& row) const;
  void seeBodies();
  VectorX reducedRates(double t, Eigen::Index rank) const;
  VectorX solvedByTranspose(const VectorX& rows, Eigen::Index rank) const;
  double weight(int body, const EndGradient& end) const;

  TreeDynamics& tree_;
  MassRoot root_;
  std::vector<JointRow> rows_;
  std::vector<int> redundant_;
  MatrixX Y_;
  VectorX scale_;  // of the columns of Y
  Eigen::ColPivHouseholderQR<MatrixX> qr_;
  VectorX eta_, change_, residual_, part_;
  std::vector<MovingPlacement> bodies_;  // as they move now
};

}  // namespace polhode
