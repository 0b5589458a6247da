#pragma once

#include "system/redundancy.h"

#include <Eigen/QR>

/// How the joints let bodies move that stand as given: each has a velocity and an angular velocity in space, together u, and
/// the joints ask for G u = b. Rows that repeat others are left out (redundancy.h). From one decomposition of G^T, in which
/// moves count by the size L of the mechanism and rows have length one:
///
///     N        a basis of all u with G u = 0, orthonormal where velocities are divided by L
///     u        the smallest one with G u = b
///     lambda   with which G^T lambda balances loads on the bodies as far as joints can
namespace polhode {

class FreeDirections {
 public:
  FreeDirections(const Mechanism& mechanism, const Redundancy& redundancy, double t,
                 std::span<const MovingPlacement> bodies, double size);

  Eigen::Index freedoms() const { return scale_.size() - static_cast<Eigen::Index>(rows_.size()); }

  MatrixX basis() const;  // N

  const VectorX& scale() const { return scale_; }         // of the components of u: L for velocities, one for turns
  const std::vector<int>& rows() const { return rows_; }  // those of the mechanism that are kept

  /// The smallest u, for a number b of each row of the mechanism; those of rows that are left out do not count.
  VectorX smallest(const VectorX& b) const;

  /// The same for columns b that have the kept rows alone.
  MatrixX closing(const MatrixX& b) const;

  /// lambda, of all rows of the mechanism; zero for those left out.
  VectorX balancing(const VectorX& loads) const;

  /// How far the rows are from depending on each other: near zero in a singular position.
  double weakest() const { return weakest_; }

 private:
  VectorX scale_;
  std::vector<int> rows_;
  int allRows_;
  VectorX rowScale_;
  Eigen::HouseholderQR<MatrixX> qr_;
  double weakest_ = 1.0;
};

}  // namespace polhode
