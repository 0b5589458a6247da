#pragma once

#include "polhode/math/types.h"

#include <cmath>

/// Small symmetric positive definite matrices as L diag(d) L^T, in place: L with a unit diagonal below the diagonal,
/// 1/d on it. Fixed sizes are unrolled.
namespace polhode::pivot {

/// Whether all d are positive, well above rounding.
template <class Matrix>
bool factorise(Matrix& m) {
  const auto n = m.rows();
  bool positive = true;
  for (Eigen::Index j = 0; j < n; ++j) {
    double d = m(j, j);
    for (Eigen::Index k = 0; k < j; ++k) d -= m(j, k) * m(j, k) / m(k, k);
    positive = positive && d > 1e-13 * std::abs(m(j, j));
    const double inverse = 1.0 / d;
    for (Eigen::Index i = j + 1; i < n; ++i) {
      double entry = m(i, j);
      for (Eigen::Index k = 0; k < j; ++k) entry -= m(i, k) * m(j, k) / m(k, k);
      m(i, j) = entry * inverse;
    }
    m(j, j) = inverse;
  }
  return positive;
}

/// The same for 3 x 3, without the divisions.
inline bool factorise(Matrix3& m) {
  const double d0 = m(0, 0), i0 = 1.0 / d0;
  const double l1 = m(1, 0) * i0, l2 = m(2, 0) * i0;
  const double d1 = m(1, 1) - l1 * m(1, 0), i1 = 1.0 / d1;
  const double e = m(2, 1) - l2 * m(1, 0), l3 = e * i1;
  const double d2 = m(2, 2) - l2 * m(2, 0) - l3 * e;
  const bool positive = d0 > 0.0 && d1 > 1e-13 * m(1, 1) && d2 > 1e-13 * m(2, 2);
  m(0, 0) = i0;
  m(1, 0) = l1;
  m(2, 0) = l2;
  m(1, 1) = i1;
  m(2, 1) = l3;
  m(2, 2) = 1.0 / d2;
  return positive;
}

/// x -> L^-1 x
template <class Matrix, class Vector>
void forward(const Matrix& m, Vector& x) {
  for (Eigen::Index i = 1; i < m.rows(); ++i)
    for (Eigen::Index k = 0; k < i; ++k) x[i] -= m(i, k) * x[k];
}

/// x -> L^-T x
template <class Matrix, class Vector>
void backward(const Matrix& m, Vector& x) {
  for (Eigen::Index i = m.rows() - 1; i > 0; --i)
    for (Eigen::Index k = 0; k < i; ++k) x[k] -= m(i, k) * x[i];
}

/// x -> (L diag(d) L^T)^-1 x
template <class Matrix, class Vector>
void solve(const Matrix& m, Vector& x) {
  forward(m, x);
  for (Eigen::Index i = 0; i < m.rows(); ++i) x[i] *= m(i, i);
  backward(m, x);
}

/// x -> L diag(d)^1/2 x
template <class Matrix, class Vector>
void multiplyRoot(const Matrix& m, Vector& x) {
  for (Eigen::Index i = 0; i < m.rows(); ++i) x[i] /= std::sqrt(m(i, i));
  for (Eigen::Index i = m.rows() - 1; i > 0; --i)
    for (Eigen::Index k = 0; k < i; ++k) x[i] += m(i, k) * x[k];
}

/// x -> diag(d)^1/2 L^T x
template <class Matrix, class Vector>
void multiplyRootTransposed(const Matrix& m, Vector& x) {
  for (Eigen::Index k = 0; k < m.rows(); ++k) {
    for (Eigen::Index i = k + 1; i < m.rows(); ++i) x[k] += m(i, k) * x[i];
    x[k] /= std::sqrt(m(k, k));
  }
}

/// x -> diag(d)^-1/2 L^-1 x
template <class Matrix, class Vector>
void solveRoot(const Matrix& m, Vector& x) {
  forward(m, x);
  for (Eigen::Index i = 0; i < m.rows(); ++i) x[i] *= std::sqrt(m(i, i));
}

/// x -> L^-T diag(d)^-1/2 x
template <class Matrix, class Vector>
void solveRootTransposed(const Matrix& m, Vector& x) {
  for (Eigen::Index i = 0; i < m.rows(); ++i) x[i] *= std::sqrt(m(i, i));
  backward(m, x);
}

}  // namespace polhode::pivot
