#ifndef __clang__
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"  // g++ 12 imagines some inside Eigen's solver of eigenvalues
#endif

#include "integrate/gauss_newton.h"

#include "integrate/archive.h"

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>

namespace polhode {

std::vector<GaussMode> gaussModes(const GaussCoefficients& coefficients) {
  const int stages = coefficients.stages();
  const MatrixX A = coefficients.m().topLeftCorner(stages, stages) * coefficients.b().head(stages).asDiagonal();
  const Eigen::EigenSolver<MatrixX> eigen(A);
  const Eigen::MatrixXcd T = eigen.eigenvectors(), inverse = T.inverse();
  std::vector<GaussMode> modes;
  for (int m = 0; m < stages; ++m) {
    const std::complex<double> lambda = eigen.eigenvalues()[m];
    if (lambda.imag() >= 0.0)
      modes.push_back({lambda, lambda.imag() > 0.0 ? 2.0 : 1.0, T.col(m), inverse.row(m).transpose()});
  }
  return modes;
}

GaussNewton::GaussNewton(const GaussCoefficients& coefficients, Eigen::Index unknowns)
    : stages_(coefficients.stages()),
      b_(coefficients.b()),
      jacobian_(MatrixX::Zero(unknowns, unknowns)),
      right_(unknowns),
      solution_(unknowns),
      sum_(Stages::Zero(GaussCoefficients::most, unknowns)) {
  for (GaussMode& mode : gaussModes(coefficients)) {
    largestLambda_ = std::max(largestLambda_, std::abs(mode.lambda));
    modes_.push_back({std::move(mode), Eigen::PartialPivLU<Eigen::MatrixXcd>(unknowns)});
  }
}

bool GaussNewton::formJacobian(const Slope& slope, const VectorX& y) {
  constexpr double roundOff = 1e-16;
  VectorX probe = y, f = y, at = y;
  slope(y, at);
  for (Eigen::Index i = 0; i < y.size(); ++i) {
    const double increment = std::sqrt(roundOff * std::max(1e-5, std::abs(y[i])));
    probe[i] = y[i] + increment;
    slope(probe, f);
    jacobian_.col(i) = (f - at) / increment;
    probe[i] = y[i];
  }
  h_ = 0.0;
  if (!jacobian_.allFinite()) return false;

  // the power of a vector with components of all kinds
  constexpr int powers = 12;
  VectorX v = VectorX::LinSpaced(y.size(), 1.0, 2.0);
  double logarithm = 0.0;
  for (int power = 0; power < powers; ++power) {
    v = (jacobian_ * v).eval();
    const double size = v.norm();
    if (!(size > 0.0)) break;
    if (power >= powers / 2) logarithm += std::log(size);
    v /= size;
  }
  stretch_ = largestLambda_ * std::exp(logarithm / (powers - powers / 2));
  return true;
}

bool GaussNewton::factorise(double h) {
  h_ = 0.0;
  for (Mode& mode : modes_) {
    Eigen::MatrixXcd matrix = (-h * mode.lambda) * jacobian_.cast<Complex>();
    matrix.diagonal().array() += 1.0;
    mode.factors.compute(matrix);
    const auto pivots = mode.factors.matrixLU().diagonal().array();
    if (!(pivots.abs() > 0.0).all()) return false;
  }
  h_ = h;
  return true;
}

void GaussNewton::correct(Stages& changes) {
  sum_.setZero();
  for (const Mode& mode : modes_) {
    right_.setZero();
    for (int j = 0; j < stages_; ++j) right_ += (mode.row[j] / b_[j]) * changes.row(j).transpose().cast<Complex>();
    solution_ = mode.factors.solve(right_);
    for (int i = 0; i < stages_; ++i)
      sum_.row(i) += (mode.share * b_[i]) * (mode.column[i] * solution_.transpose()).real();
  }
  changes = sum_;
}

void GaussNewton::persist(Archive& archive) {
  double h = h_;
  archive(jacobian_, stretch_, h);
  if (archive.restores() && h != 0.0) factorise(h);
}

}  // namespace polhode
