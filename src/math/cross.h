#pragma once

#include "math/kernel.h"
#include "polhode/math/types.h"

/// Products with the skew matrix a^ of a vector, a^ b = a x b, without the matrix.
namespace polhode {

template <class T>
using Matrix33 = Eigen::Matrix<T, 3, 3>;

/// a^ M.
template <class T>
POLHODE_KERNEL inline Matrix33<T> crossed(const Vector<T, 3>& a, const Matrix33<T>& M) {
  Matrix33<T> r;
  for (int j = 0; j < 3; ++j) {
    r(0, j) = a[1] * M(2, j) - a[2] * M(1, j);
    r(1, j) = a[2] * M(0, j) - a[0] * M(2, j);
    r(2, j) = a[0] * M(1, j) - a[1] * M(0, j);
  }
  return r;
}

/// M a^.
template <class T>
POLHODE_KERNEL inline Matrix33<T> crossed(const Matrix33<T>& M, const Vector<T, 3>& a) {
  Matrix33<T> r;
  for (int i = 0; i < 3; ++i) {
    r(i, 0) = M(i, 1) * a[2] - M(i, 2) * a[1];
    r(i, 1) = M(i, 2) * a[0] - M(i, 0) * a[2];
    r(i, 2) = M(i, 0) * a[1] - M(i, 1) * a[0];
  }
  return r;
}

/// a^ b^ = b a^T - (a . b) I.
template <class T>
POLHODE_KERNEL inline Matrix33<T> doubleCross(const Vector<T, 3>& a, const Vector<T, 3>& b) {
  Matrix33<T> r = b * a.transpose();
  const T trace = a.dot(b);
  r(0, 0) -= trace, r(1, 1) -= trace, r(2, 2) -= trace;
  return r;
}
inline Matrix3 doubleCross(const Vector3& a, const Vector3& b) {
  return doubleCross<double>(a, b);
}

}  // namespace polhode
