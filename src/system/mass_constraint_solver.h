#pragma once

#include "polhode/math/types.h"

namespace polhode {

/// Solves the linear system that constrained mechanics leads to again and again,
///
///     ( M  G^T ) ( a )   ( b )
///     ( G  0   ) ( l ) = ( c ),
///
/// the lower block of Lang (4): accelerations and multipliers, projections of position and velocity.
///
/// M is symmetric and positive semi-definite. It may be singular as long as G fixes the directions without
/// mass (quaternions: M p = 0, G = p^T). Rows of G may depend on each other: then l is the smallest one (in
/// the scaled sense below), and a is unique all the same.
///
/// Both unknowns are scaled so that M has a unit diagonal and G rows of unit length; the rank is judged on
/// the scaled matrix, by an LU decomposition with full pivoting. Where it is deficient a complete orthogonal
/// decomposition takes over.
class MassConstraintSolver {
 public:
  MassConstraintSolver(int coordinates, int constraints);

  MatrixX M;  // to be filled in before factorise()
  MatrixX G;

  /// Throws SimulationError, with the time t, if there is a direction that has no mass and that no constraint
  /// fixes.
  void factorise(double t);

  void solve(const VectorX& b, const VectorX& c, VectorX& a, VectorX& l) const;

 private:
  void scale();
  void requireDeterminedAcceleration(double t) const;

  MatrixX K_;      // the scaled matrix
  VectorX scale_;  // of a and l, stacked
  bool fullRank_ = false;
  Eigen::FullPivLU<MatrixX> lu_;
  Eigen::CompleteOrthogonalDecomposition<MatrixX> orthogonal_;
};

}  // namespace polhode
