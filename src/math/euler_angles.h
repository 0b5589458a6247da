#pragma once

#include "polhode/math/types.h"

#include <cmath>

/// Three angles for a rotation: Euler angles 3-1-3 and Cardan angles x-y-z, both about the moving axes.
///
///     Euler313:  R = Rz(theta1) Rx(theta2) Rz(theta3)      locked where sin(theta2) = 0
///     Cardan:    R = Rx(theta1) Ry(theta2) Rz(theta3)      locked where cos(theta2) = 0
///
/// Both types have the same members, so that code can be written once for either. In gimbal lock the first
/// and the third axis coincide and the two angles are not unique; quaternions have no such place.
///
/// Reference: Lang 2010, section 7.
namespace polhode {

/// How small the sine (or cosine) of the second angle may be: at 1e-8 half of the digits of theta' are lost.
inline constexpr double gimbalLockTolerance = 1e-8;

/// Euler angles 3-1-3 (precession, nutation, spin); theta2 from a matrix lies in (0, pi).
struct Euler313 {
  /// R(theta), body to space.
  template <class T>
  static Eigen::Matrix<T, 3, 3> rotation(const Vector<T, 3>& theta) {
    using std::cos, std::sin;
    const T s1 = sin(theta[0]), s2 = sin(theta[1]), s3 = sin(theta[2]);
    const T c1 = cos(theta[0]), c2 = cos(theta[1]), c3 = cos(theta[2]);
    Eigen::Matrix<T, 3, 3> R;
    R << c1 * c3 - s1 * c2 * s3, -c1 * s3 - s1 * c2 * c3, s1 * s2,  //
        s1 * c3 + c1 * c2 * s3, -s1 * s3 + c1 * c2 * c3, -c1 * s2,  //
        s2 * s3, s2 * c3, c2;
    return R;
  }

  /// The angles of a rotation matrix. Throws InputError in gimbal lock.
  static Vector3 fromRotation(const Matrix3& R);
};

/// Cardan angles x-y-z (roll, pitch, yaw about the moving axes); theta2 from a matrix lies in (-pi/2, pi/2).
struct Cardan {
  /// R(theta), body to space.
  template <class T>
  static Eigen::Matrix<T, 3, 3> rotation(const Vector<T, 3>& theta) {
    using std::cos, std::sin;
    const T s1 = sin(theta[0]), s2 = sin(theta[1]), s3 = sin(theta[2]);
    const T c1 = cos(theta[0]), c2 = cos(theta[1]), c3 = cos(theta[2]);
    Eigen::Matrix<T, 3, 3> R;
    R << c2 * c3, -c2 * s3, s2,                                    //
        c1 * s3 + s1 * s2 * c3, c1 * c3 - s1 * s2 * s3, -s1 * c2,  //
        s1 * s3 - c1 * s2 * c3, s1 * c3 + c1 * s2 * s3, c1 * c2;
    return R;
  }

  /// The angles of a rotation matrix. Throws InputError in gimbal lock.
  static Vector3 fromRotation(const Matrix3& R);
};

}  // namespace polhode
