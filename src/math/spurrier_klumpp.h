#pragma once

#include "polhode/math/types.h"

#include <cmath>

/// The algorithm of Spurrier and Klumpp: a quaternion from three directors, in a neighbourhood of SO(3).
///
/// Of the trace tr R = R11 + R22 + R33 and the diagonal entries R11, R22, R33 the largest belongs to the
/// component of p that is largest in size. That one is a square root, and it divides the others, with R_mk
/// component m of director k:
///
///     tr R:  p0 = sqrt(1 + tr R)/2
///            p1 = (R32 - R23)/4p0,  p2 = (R13 - R31)/4p0,  p3 = (R21 - R12)/4p0
///     R11:   p1 = sqrt(R11/2 + (1 - tr R)/4)
///            p0 = (R32 - R23)/4p1,  p2 = (R21 + R12)/4p1,  p3 = (R13 + R31)/4p1
///     R22:   p2 = sqrt(R22/2 + (1 - tr R)/4)
///            p0 = (R13 - R31)/4p2,  p1 = (R21 + R12)/4p2,  p3 = (R32 + R23)/4p2
///     R33:   p3 = sqrt(R33/2 + (1 - tr R)/4)
///            p0 = (R21 - R12)/4p3,  p1 = (R13 + R31)/4p3,  p2 = (R32 + R23)/4p3
///
/// For a rotation matrix the square root is at least 1/2, so nothing is ever divided by a small number.
///
/// Reference: Klumpp 1976, Spurrier 1978; Lang 2010, section 6, whose printed signs in the last three cases
/// are wrong.
namespace polhode {

/// The quaternion of a frame near SO(3), not normalised; its largest component is positive.
template <class Derived>
Vector<typename Derived::Scalar, 4> quaternionFromRotation(const Eigen::MatrixBase<Derived>& frame) {
  using T = typename Derived::Scalar;
  using std::sqrt;
  const Eigen::Matrix<T, 3, 3> R = frame;
  const T trace = R(0, 0) + R(1, 1) + R(2, 2);

  if (trace >= R(0, 0) && trace >= R(1, 1) && trace >= R(2, 2)) {
    const T p0 = sqrt(T(1) + trace) / T(2);
    const T scale = T(1) / (T(4) * p0);
    return {p0, (R(2, 1) - R(1, 2)) * scale, (R(0, 2) - R(2, 0)) * scale, (R(1, 0) - R(0, 1)) * scale};
  }
  const T rest = (T(1) - trace) / T(4);
  if (R(0, 0) >= R(1, 1) && R(0, 0) >= R(2, 2)) {
    const T p1 = sqrt(R(0, 0) / T(2) + rest);
    const T scale = T(1) / (T(4) * p1);
    return {(R(2, 1) - R(1, 2)) * scale, p1, (R(1, 0) + R(0, 1)) * scale, (R(0, 2) + R(2, 0)) * scale};
  }
  if (R(1, 1) >= R(2, 2)) {
    const T p2 = sqrt(R(1, 1) / T(2) + rest);
    const T scale = T(1) / (T(4) * p2);
    return {(R(0, 2) - R(2, 0)) * scale, (R(1, 0) + R(0, 1)) * scale, p2, (R(2, 1) + R(1, 2)) * scale};
  }
  const T p3 = sqrt(R(2, 2) / T(2) + rest);
  const T scale = T(1) / (T(4) * p3);
  return {(R(1, 0) - R(0, 1)) * scale, (R(0, 2) + R(2, 0)) * scale, (R(2, 1) + R(1, 2)) * scale, p3};
}

/// The same with unit length.
template <class Derived>
Vector<typename Derived::Scalar, 4> unitQuaternionFromRotation(const Eigen::MatrixBase<Derived>& frame) {
  const auto p = quaternionFromRotation(frame);
  return p / p.norm();
}

}  // namespace polhode
