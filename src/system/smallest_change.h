#pragma once

#include "system/mechanism_observation.h"

#include <Eigen/SparseCholesky>

/// The joints' equations, linearised: G x = b, where x holds the move of each body and its turn (both in space), has many
/// solutions. This finds the one with the smallest
///
///     sum |move|^2 + r^2 |turn|^2,     r the size of each body, the longest way from its centre of mass to a joint,
///
/// which is x = W^-1 G^T (G W^-1 G^T)^+ b. Masses play no part, so that there may be bodies without any. Redundant
/// equations are allowed: the matrix is shifted by a little and the shift removed again by iteration. Where equations
/// contradict each other, the result fulfils them as well as can be.
namespace polhode {

class SmallestChange {
 public:
  /// For bodies that stand like this. `free` says for each of the six components of each body whether it may change.
  /// Combinations of equations that change by less than `accuracy` are left as they are, as are rows that are left out
  /// (redundancy.h).
  SmallestChange(const Mechanism& mechanism, std::span<const MovingPlacement> bodies, const std::vector<bool>& free,
                 double accuracy = 0.0, double t = 0.0, const std::vector<int>& without = {});

  /// x for given b, a row for each equation of the mechanism.
  VectorX solve(const VectorX& b) const;

  /// How the bodies follow a pull f (a force and a torque on each) where the joints hold: W^-1 (f - G^T lambda) with G x = 0.
  VectorX allowed(const VectorX& pull) const;

 private:
  using RowMajor = Eigen::SparseMatrix<double, Eigen::RowMajor>;

  VectorX multipliers(const VectorX& scaled) const;

  VectorX columnScale_;  // W^-1/2, zero for what may not change
  VectorX rowScale_;     // makes the diagonal of the matrix one
  int refinements_;
  RowMajor gradients_;  // G W^-1/2, rows scaled
  Eigen::SparseMatrix<double> matrix_;
  Eigen::SimplicialLDLT<Eigen::SparseMatrix<double>> factors_;  // of the shifted matrix
};

}  // namespace polhode
