#include "system/mass_constraint_solver.h"

#include "polhode/error.h"

#include <cmath>

#include <fmt/format.h>

namespace polhode {

namespace {

/// Pivots of the scaled matrix below this count as zero: well above the round-off in G of a closed loop.
constexpr double rankThreshold = 1e-11;

}  // namespace

MassConstraintSolver::MassConstraintSolver(int coordinates, int constraints)
    : M(MatrixX::Zero(coordinates, coordinates)),
      G(MatrixX::Zero(constraints, coordinates)),
      K_(coordinates + constraints, coordinates + constraints),
      scale_(coordinates + constraints),
      lu_(coordinates + constraints, coordinates + constraints) {}

void MassConstraintSolver::scale() {
  const auto n = M.rows(), m = G.rows();

  // Coordinates without mass of their own are treated like the lightest of the others.
  const double largest = n > 0 ? M.diagonal().maxCoeff() : 0.0;
  double lightest = largest;
  for (int i = 0; i < n; ++i)
    if (M(i, i) > rankThreshold * largest) lightest = std::min(lightest, M(i, i));
  for (int i = 0; i < n; ++i) scale_[i] = largest > 0.0 ? 1.0 / std::sqrt(std::max(M(i, i), lightest)) : 1.0;

  for (int k = 0; k < m; ++k) {
    const double length = G.row(k).transpose().cwiseProduct(scale_.head(n)).norm();
    scale_[n + k] = length > 0.0 ? 1.0 / length : 1.0;
  }
}

void MassConstraintSolver::factorise(double t) {
  const auto n = M.rows(), m = G.rows();
  scale();
  K_.topLeftCorner(n, n) = M;
  K_.bottomLeftCorner(m, n) = G;
  K_.topRightCorner(n, m) = G.transpose();
  K_.bottomRightCorner(m, m).setZero();
  K_ = scale_.asDiagonal() * K_ * scale_.asDiagonal();

  lu_.setThreshold(rankThreshold);
  lu_.compute(K_);
  fullRank_ = lu_.isInvertible();
  if (!fullRank_) {
    requireDeterminedAcceleration(t);
    orthogonal_.setThreshold(rankThreshold);
    orthogonal_.compute(K_);
  }
}

void MassConstraintSolver::requireDeterminedAcceleration(double t) const {
  Eigen::FullPivLU<MatrixX> columns(K_.leftCols(M.cols()));
  columns.setThreshold(rankThreshold);
  if (columns.rank() < M.cols())
    throw SimulationError(
        t, fmt::format("at t = {} the accelerations are not determined: {} direction(s) of motion have no mass and no "
                       "constraint fixes them; give the bodies mass and inertia, or remove these coordinates",
                       t, M.cols() - columns.rank()));
}

void MassConstraintSolver::solve(const VectorX& b, const VectorX& c, VectorX& a, VectorX& l) const {
  const auto n = M.rows(), m = G.rows();
  VectorX x(n + m);
  x << b, c;
  x.array() *= scale_.array();
  if (fullRank_)
    x = lu_.solve(x).eval();
  else
    x = orthogonal_.solve(x).eval();
  x.array() *= scale_.array();
  a = x.head(n);
  l = x.tail(m);
}

}  // namespace polhode
