#pragma once

#include "polhode/math/types.h"

/// Products with the skew matrix a^ of a vector, a^ b = a x b, without the matrix.
namespace polhode {

/// a^ M.
inline Matrix3 crossed(const Vector3& a, const Matrix3& M) {
  Matrix3 r;
  for (int j = 0; j < 3; ++j) {
    r(0, j) = a[1] * M(2, j) - a[2] * M(1, j);
    r(1, j) = a[2] * M(0, j) - a[0] * M(2, j);
    r(2, j) = a[0] * M(1, j) - a[1] * M(0, j);
  }
  return r;
}

/// M a^.
inline Matrix3 crossed(const Matrix3& M, const Vector3& a) {
  Matrix3 r;
  for (int i = 0; i < 3; ++i) {
    r(i, 0) = M(i, 1) * a[2] - M(i, 2) * a[1];
    r(i, 1) = M(i, 2) * a[0] - M(i, 0) * a[2];
    r(i, 2) = M(i, 0) * a[1] - M(i, 1) * a[0];
  }
  return r;
}

/// Adds s a^ b^ = s (b a^T - (a . b) I).
inline void addDoubleCross(Matrix3& M, double s, const Vector3& a, const Vector3& b) {
  const Vector3 sb = s * b;
  const double trace = sb.dot(a);
  for (int j = 0; j < 3; ++j) {
    for (int i = 0; i < 3; ++i) M(i, j) += sb[i] * a[j];
    M(j, j) -= trace;
  }
}

}  // namespace polhode
