#pragma once

#include "math/quaternion.h"

/// The Euler map d = phi(p) from quaternions onto directors, its differential and its pseudo-inverse.
///
///     phi(p)_n  = p o e_n o conj(p)                                Lang (47), homogeneous of degree 2
///     Dphi(p)   = d phi / d p, 9 x 4                               Lang (48)
///     Dphi(p)^# = 1/(4|p|^2) (I/2 - p p^T/(6|p|^2)) Dphi(p)^T      Lang (55)
///     Dphi(p) p = 2 phi(p)                                         Lang (54), where the factor 2 is missing
///
/// Reference: Lang 2010, sections 4 and 5. Off the unit sphere phi(p) is a rotation stretched by |p|^2.
namespace polhode {

/// R(p) = (d1 | d2 | d3), Lang (26); stretched by |p|^2 off the unit sphere.
template <class T>
Eigen::Matrix<T, 3, 3> rotationMatrix(const Vector<T, 4>& p) {
  const T w = p[0], x = p[1], y = p[2], z = p[3];
  const T ww = w * w, xx = x * x, yy = y * y, zz = z * z;
  Eigen::Matrix<T, 3, 3> R;
  R << ww + xx - yy - zz, T(2) * (x * y - w * z), T(2) * (x * z + w * y),  //
      T(2) * (x * y + w * z), ww - xx + yy - zz, T(2) * (y * z - w * x),   //
      T(2) * (x * z - w * y), T(2) * (y * z + w * x), ww - xx - yy + zz;
  return R;
}

/// phi(p) as nine stacked components, Lang (47).
template <class T>
Vector<T, 9> directors(const Vector<T, 4>& p) {
  return rotationMatrix(p).reshaped();
}

/// Dphi(p), Lang (48).
template <class T>
Eigen::Matrix<T, 9, 4> directorsDifferential(const Vector<T, 4>& p) {
  const T w = p[0], x = p[1], y = p[2], z = p[3];
  Eigen::Matrix<T, 9, 4> D;
  D << w, x, -y, -z,  // d1
      z, y, x, w,     //
      -y, z, -w, x,   //
      -z, y, x, -w,   // d2
      w, -x, y, -z,   //
      x, w, z, y,     //
      y, z, w, x,     // d3
      -x, -w, z, y,   //
      w, -x, -y, z;
  return T(2) * D;
}

/// Dphi(p)^#, the Moore-Penrose inverse of Dphi(p) for p != 0, Lang (55).
template <class T>
Eigen::Matrix<T, 4, 9> directorsPseudoInverse(const Vector<T, 4>& p) {
  const T n2 = p.squaredNorm();
  const Eigen::Matrix<T, 4, 4> left =
      (Eigen::Matrix<T, 4, 4>::Identity() / T(2) - p * p.transpose() / (T(6) * n2)) / (T(4) * n2);
  return left * directorsDifferential(p).transpose();
}

}  // namespace polhode
