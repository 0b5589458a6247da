#include "system/cyclic_directions.h"

#include <Eigen/SVD>
#include <cmath>

namespace polhode {

namespace {

constexpr int places = 6;
constexpr double noDirection = 1e-9;

/// Spread evenly over (-1, 1), the same in every run: multiples of the golden ratio.
class Spread {
 public:
  double operator()() {
    fraction_ = std::fmod(fraction_ + 0.6180339887498949, 1.0);
    return 2.0 * fraction_ - 1.0;
  }

 private:
  double fraction_ = 0.0;
};

/// Rows r with r . a = 0, each of length one where it is not zero.
class Conditions {
 public:
  explicit Conditions(Eigen::Index n) : rows_(0, n) {}

  void add(const MatrixX& rows) {
    for (const auto& row : rows.rowwise()) {
      const double length = row.norm();
      if (length == 0.0) continue;
      rows_.conservativeResize(rows_.rows() + 1, rows_.cols());
      rows_.bottomRows(1) = row / length;
    }
  }

  /// An orthonormal basis of all a.
  MatrixX solutions() const {
    if (rows_.rows() == 0) return MatrixX::Identity(rows_.cols(), rows_.cols());
    const Eigen::JacobiSVD<MatrixX> svd(rows_, Eigen::ComputeFullV);
    const Eigen::Index rank = (svd.singularValues().array() > noDirection).count();
    return svd.matrixV().rightCols(rows_.cols() - rank);
  }

  /// Each unit vector that is a solution comes first, the others are orthogonal to it.
  MatrixX readableSolutions() {
    const MatrixX all = solutions();
    MatrixX units(rows_.cols(), 0);
    for (Eigen::Index i = 0; i < rows_.cols(); ++i) {
      const VectorX unit = VectorX::Unit(rows_.cols(), i);
      if ((unit - all * (all.transpose() * unit)).norm() > noDirection) continue;
      units.conservativeResize(Eigen::NoChange, units.cols() + 1);
      units.rightCols(1) = unit;
    }
    add(units.transpose());
    MatrixX readable(rows_.cols(), all.cols());
    readable << units, solutions();
    return readable;
  }

 private:
  MatrixX rows_;
};

}  // namespace

MatrixX cyclicDirections(const SmoothSystem& system, const VectorX& q) {
  const int n = system.coordinates(), m = system.constraints();
  Conditions conditions(n);
  Spread spread;
  MatrixX B(n, n), G(m, n), byQ(n, n), byV(n, n);
  VectorX gradient(n), force(n);
  for (int place = 0; place < places; ++place) {
    VectorX x = q, v(n);
    for (double& xi : x) xi += 0.1 * spread() * std::max(1.0, std::abs(xi));
    for (double& vi : v) vi = spread();
    const double t = place;
    for (int k = 0; k < n; ++k) {
      system.massDerivative(x, VectorX::Unit(n, k), B);
      conditions.add(B);
    }
    system.potentialGradient(t, x, gradient);
    conditions.add(gradient.transpose());
    if (m > 0) {
      system.constraintJacobian(x, G);
      conditions.add(G);
    }
    if (system.hasAppliedForce()) {
      system.appliedForce(t, x, v, force, byQ, byV);
      conditions.add(force.transpose());
    }
  }
  return conditions.readableSolutions();
}

}  // namespace polhode
