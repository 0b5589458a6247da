#pragma once

#include "math/euler_map.h"
#include "math/spurrier_klumpp.h"
#include "math/stumpff.h"

#include <cmath>
#include <numbers>

/// Exponential map from vectors onto unit quaternions and rotations with its inverse, Cayley map onto rotations, tangents.
///
/// Exponential, theta = angle * axis, c_m = c_m(|theta|^2) the Stumpff functions:
///     expS3(theta)  = (cos(|theta|/2), sin(|theta|/2) theta/|theta|)         B&S (6)
///     expSO3(theta) = I + c_1 theta^ + c_2 theta^ theta^                     Rodrigues
///     H(theta)      = I + c_2 theta^ + c_3 theta^ theta^                     B&S (D4)
///
/// Cayley, c = 2 tan(angle/2) * axis, s = 1/(1 + |c|^2/4):
///     cayleySO3(c)  = (I - c^/2)^-1 (I + c^/2) = I + s (c^ + c^ c^/2)
///     C(c)          = s (I + c^/2),      C(c)^-1 = I - c^/2 + c c^T/4
///
/// Tangents, where map is exp with H or cayley with C:
///     d mapSO3(a) = hat(H(a) da) mapSO3(a)
///
/// All are accurate to a few roundings for every angle down to zero, and have the right derivatives there.
///
/// Reference: Betsch & Siebert 2009 (B&S), section 2 and appendix D.
namespace polhode {

/// The unit quaternion of the rotation vector theta, B&S (6).
template <class T>
Vector<T, 4> expS3(const Vector<T, 3>& theta) {
  const T quarter = theta.squaredNorm() / T(4);
  const T cosine = stumpff0(quarter);
  const T sineOverAngle = stumpff1(quarter) / T(2);
  return {cosine, sineOverAngle * theta[0], sineOverAngle * theta[1], sineOverAngle * theta[2]};
}

/// The rotation matrix of the rotation vector theta (Rodrigues).
template <class T>
Eigen::Matrix<T, 3, 3> expSO3(const Vector<T, 3>& theta) {
  const T x = theta.squaredNorm();
  const Eigen::Matrix<T, 3, 3> skew = hat(theta);
  return Eigen::Matrix<T, 3, 3>::Identity() + stumpff1(x) * skew + stumpff2(x) * skew * skew;
}

/// The rotation vector of a unit quaternion, shorter than 2 pi: the inverse of expS3. At q = -1, which has no
/// axis of its own, e1 is taken.
template <class T>
Vector<T, 3> logS3(const Vector<T, 4>& q) {
  using std::atan2, std::sqrt;
  const Vector<T, 3> v = vectorPart(q);
  const T sine2 = v.squaredNorm(), cosine = q[0];

  // atan(t)/t from its series, t^2 small enough for three terms
  if (cosine > T(0) && sine2 < T(1e-6) * cosine * cosine) {
    const T t2 = sine2 / (cosine * cosine);
    return v * (T(2) * (T(1) - t2 / T(3) + t2 * t2 / T(5)) / cosine);
  }
  if (sine2 == T(0)) return Vector<T, 3>(T(2 * std::numbers::pi), T(0), T(0));
  const T sine = sqrt(sine2);
  return v * (T(2) * atan2(sine, cosine) / sine);
}

/// The rotation vector of a rotation matrix, at most pi long: the inverse of expSO3.
template <class T>
Vector<T, 3> logSO3(const Eigen::Matrix<T, 3, 3>& R) {
  return logS3(withPositiveScalar(unitQuaternionFromRotation(R)));
}

/// H(theta), space tangent of the exponential: d expSO3(theta) = hat(H dtheta) expSO3(theta), B&S (D4).
template <class T>
Eigen::Matrix<T, 3, 3> expSpaceTangent(const Vector<T, 3>& theta) {
  const T x = theta.squaredNorm();
  const Eigen::Matrix<T, 3, 3> skew = hat(theta);
  return Eigen::Matrix<T, 3, 3>::Identity() + stumpff2(x) * skew + stumpff3(x) * skew * skew;
}

/// The rotation matrix (I - c^/2)^-1 (I + c^/2).
template <class T>
Eigen::Matrix<T, 3, 3> cayleySO3(const Vector<T, 3>& c) {
  const T s = T(1) / (T(1) + c.squaredNorm() / T(4));
  const Eigen::Matrix<T, 3, 3> skew = hat(c);
  return Eigen::Matrix<T, 3, 3>::Identity() + s * skew + (s / T(2)) * skew * skew;
}

/// C(c)^-1, of the space tangent: d cayleySO3(c) = hat(C dc) cayleySO3(c).
template <class T>
Eigen::Matrix<T, 3, 3> cayleySpaceTangentInverse(const Vector<T, 3>& c) {
  return Eigen::Matrix<T, 3, 3>::Identity() - hat(c) / T(2) + c * c.transpose() / T(4);
}

}  // namespace polhode
