#pragma once

#include "math/euler_map.h"
#include "math/spurrier_klumpp.h"
#include "math/stumpff.h"
#include "polhode/error.h"

#include <cmath>
#include <numbers>

/// Exponential and Cayley maps from vectors onto unit quaternions and rotations, inverses and tangents.
///
/// Exponential, theta = angle * axis, c_m = c_m(|theta|^2) the Stumpff functions:
///     expS3(theta)  = (cos(|theta|/2), sin(|theta|/2) theta/|theta|)         B&S (6)
///     expSO3(theta) = I + c_1 theta^ + c_2 theta^ theta^                     Rodrigues
///     H(theta)      = I + c_2 theta^ + c_3 theta^ theta^                     B&S (D4)
///     H(theta)^-1   = I - theta^/2 + k theta^ theta^,  k = (1 - (|theta|/2) cot(|theta|/2))/|theta|^2
///
/// Cayley, c = 2 tan(angle/2) * axis, s = 1/(1 + |c|^2/4):
///     cayleyS3(c)   = sqrt(s) (1, c/2)
///     cayleySO3(c)  = (I - c^/2)^-1 (I + c^/2) = I + s (c^ + c^ c^/2)
///     C(c)          = s (I + c^/2),      C(c)^-1 = I - c^/2 + c c^T/4
///
/// Tangents, where map is exp with H or cayley with C:
///     d mapSO3(a) = hat(H(a) da) mapSO3(a) = mapSO3(a) hat(H(a)^T da)        space and body tangent
///     d mapS3(a)  = 1/2 (0, H(a) da) o mapS3(a)                              B&S (D2)
///
/// All are accurate to a few roundings for every angle down to zero, and have the right derivatives there.
/// cayleyS3 covers cayleySO3: R(cayleyS3(c)) = cayleySO3(c). (The increment of a quaternion mid-point step,
/// q1 - q0 = (0, b/2) o (q0 + q1)/2, is another one: b = 4 tan(angle/4) * axis.)
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

/// H(theta)^-1, singular at a full turn only. Its coefficient k, with y = |theta|^2/4, is
/// (c_2(y) - c_3(y))/(4 c_1(y)), in which little cancels.
template <class T>
Eigen::Matrix<T, 3, 3> expSpaceTangentInverse(const Vector<T, 3>& theta) {
  const T y = theta.squaredNorm() / T(4);
  const T k = (stumpff2(y) - stumpff3(y)) / (T(4) * stumpff1(y));
  const Eigen::Matrix<T, 3, 3> skew = hat(theta);
  return Eigen::Matrix<T, 3, 3>::Identity() - skew / T(2) + k * skew * skew;
}

/// H(theta)^T, body tangent of the exponential: d expSO3(theta) = expSO3(theta) hat(H^T dtheta).
template <class T>
Eigen::Matrix<T, 3, 3> expBodyTangent(const Vector<T, 3>& theta) {
  return expSpaceTangent(theta).transpose();
}

/// H(theta)^-T.
template <class T>
Eigen::Matrix<T, 3, 3> expBodyTangentInverse(const Vector<T, 3>& theta) {
  return expSpaceTangentInverse(theta).transpose();
}

/// d expS3 / d theta = 1/2 E(q)^T H(theta), 4 x 3, with q = expS3(theta), B&S (D2).
template <class T>
Eigen::Matrix<T, 4, 3> expS3Differential(const Vector<T, 3>& theta) {
  return spaceMatrix(expS3(theta)).transpose() * expSpaceTangent(theta) / T(2);
}

/// The unit quaternion of the Cayley vector c = 2 tan(angle/2) * axis.
template <class T>
Vector<T, 4> cayleyS3(const Vector<T, 3>& c) {
  using std::sqrt;
  const T scalar = T(1) / sqrt(T(1) + c.squaredNorm() / T(4));
  const T half = scalar / T(2);
  return {scalar, half * c[0], half * c[1], half * c[2]};
}

/// The rotation matrix (I - c^/2)^-1 (I + c^/2).
template <class T>
Eigen::Matrix<T, 3, 3> cayleySO3(const Vector<T, 3>& c) {
  const T s = T(1) / (T(1) + c.squaredNorm() / T(4));
  const Eigen::Matrix<T, 3, 3> skew = hat(c);
  return Eigen::Matrix<T, 3, 3>::Identity() + s * skew + (s / T(2)) * skew * skew;
}

/// The Cayley vector of a quaternion of any length, the inverse of cayleyS3; InputError at a half turn.
template <class T>
Vector<T, 3> inverseCayleyS3(const Vector<T, 4>& q) {
  if (q[0] == T(0))
    throw InputError("a half turn has no Cayley vector, its length would be infinite; use a rotation vector");
  return vectorPart(q) * (T(2) / q[0]);
}

/// The Cayley vector of a rotation matrix, the inverse of cayleySO3; InputError at a half turn.
template <class T>
Vector<T, 3> inverseCayleySO3(const Eigen::Matrix<T, 3, 3>& R) {
  return inverseCayleyS3(quaternionFromRotation(R));
}

/// C(c), space tangent of the Cayley map: d cayleySO3(c) = hat(C dc) cayleySO3(c).
template <class T>
Eigen::Matrix<T, 3, 3> cayleySpaceTangent(const Vector<T, 3>& c) {
  const T s = T(1) / (T(1) + c.squaredNorm() / T(4));
  return s * (Eigen::Matrix<T, 3, 3>::Identity() + hat(c) / T(2));
}

/// C(c)^-1.
template <class T>
Eigen::Matrix<T, 3, 3> cayleySpaceTangentInverse(const Vector<T, 3>& c) {
  return Eigen::Matrix<T, 3, 3>::Identity() - hat(c) / T(2) + c * c.transpose() / T(4);
}

/// C(c)^T, body tangent of the Cayley map: d cayleySO3(c) = cayleySO3(c) hat(C^T dc).
template <class T>
Eigen::Matrix<T, 3, 3> cayleyBodyTangent(const Vector<T, 3>& c) {
  return cayleySpaceTangent(c).transpose();
}

/// C(c)^-T.
template <class T>
Eigen::Matrix<T, 3, 3> cayleyBodyTangentInverse(const Vector<T, 3>& c) {
  return cayleySpaceTangentInverse(c).transpose();
}

/// d cayleyS3 / d c = 1/2 E(q)^T C(c), 4 x 3, with q = cayleyS3(c).
template <class T>
Eigen::Matrix<T, 4, 3> cayleyS3Differential(const Vector<T, 3>& c) {
  return spaceMatrix(cayleyS3(c)).transpose() * cayleySpaceTangent(c) / T(2);
}

}  // namespace polhode
