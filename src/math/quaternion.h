#pragma once

#include "polhode/math/types.h"

/// Quaternion algebra in matrix form, on columns q = (q0, q1, q2, q3) with the scalar part first.
///
///     p o q = Q_l(p) q = Q_r(q) p
///     Q_l(q) = (q | G(q)^T),   Q_r(q) = (q | E(q)^T)
///     R(q)   = E(q) G(q)^T     the rotation matrix of a unit quaternion, body to space
///     Omega  = 2 G(q) q',      omega = 2 E(q) q'
///
/// Reference: Betsch & Siebert 2009, section 2 and appendix A. All functions are templates on the scalar, so
/// that operations can be counted and derivatives taken.
namespace polhode {

/// The skew matrix with hat(a) b = a x b.
template <class T>
Eigen::Matrix<T, 3, 3> hat(const Vector<T, 3>& a) {
  Eigen::Matrix<T, 3, 3> m;
  m << T(0), -a[2], a[1], a[2], T(0), -a[0], -a[1], a[0], T(0);
  return m;
}

/// The vector of the skew part of a matrix: unhat(hat(a)) = a.
template <class T>
Vector<T, 3> unhat(const Eigen::Matrix<T, 3, 3>& m) {
  return T(0.5) * Vector<T, 3>(m(2, 1) - m(1, 2), m(0, 2) - m(2, 0), m(1, 0) - m(0, 1));
}

/// The vector part of a quaternion.
template <class T>
Vector<T, 3> vectorPart(const Vector<T, 4>& q) {
  return q.template tail<3>();
}

/// The quaternion (0, a).
template <class T>
Vector<T, 4> pureQuaternion(const Vector<T, 3>& a) {
  return Vector<T, 4>(T(0), a[0], a[1], a[2]);
}

template <class T>
Vector<T, 4> conjugate(const Vector<T, 4>& q) {
  return Vector<T, 4>(q[0], -q[1], -q[2], -q[3]);
}

/// The product p o q.
template <class T>
Vector<T, 4> multiply(const Vector<T, 4>& p, const Vector<T, 4>& q) {
  return Vector<T, 4>(p[0] * q[0] - p[1] * q[1] - p[2] * q[2] - p[3] * q[3],  //
                      p[0] * q[1] + p[1] * q[0] + p[2] * q[3] - p[3] * q[2],  //
                      p[0] * q[2] + p[2] * q[0] + p[3] * q[1] - p[1] * q[3],  //
                      p[0] * q[3] + p[3] * q[0] + p[1] * q[2] - p[2] * q[1]);
}

/// Q_l(q): left multiplication, Q_l(q) p = q o p.
template <class T>
Eigen::Matrix<T, 4, 4> leftMatrix(const Vector<T, 4>& q) {
  Eigen::Matrix<T, 4, 4> m;
  m << q[0], -q[1], -q[2], -q[3],  //
      q[1], q[0], -q[3], q[2],     //
      q[2], q[3], q[0], -q[1],     //
      q[3], -q[2], q[1], q[0];
  return m;
}

/// Q_r(q): right multiplication, Q_r(q) p = p o q.
template <class T>
Eigen::Matrix<T, 4, 4> rightMatrix(const Vector<T, 4>& q) {
  Eigen::Matrix<T, 4, 4> m;
  m << q[0], -q[1], -q[2], -q[3],  //
      q[1], q[0], q[3], -q[2],     //
      q[2], -q[3], q[0], q[1],     //
      q[3], q[2], -q[1], q[0];
  return m;
}

/// G(q), 3 x 4: the last three rows of Q_l(q)^T; G(q) q' = Omega/2.
template <class T>
Eigen::Matrix<T, 3, 4> bodyMatrix(const Vector<T, 4>& q) {
  Eigen::Matrix<T, 3, 4> m;
  m << -q[1], q[0], q[3], -q[2],  //
      -q[2], -q[3], q[0], q[1],   //
      -q[3], q[2], -q[1], q[0];
  return m;
}

/// E(q), 3 x 4: the last three rows of Q_r(q)^T; E(q) q' = omega/2.
template <class T>
Eigen::Matrix<T, 3, 4> spaceMatrix(const Vector<T, 4>& q) {
  Eigen::Matrix<T, 3, 4> m;
  m << -q[1], q[0], -q[3], q[2],  //
      -q[2], q[3], q[0], -q[1],   //
      -q[3], -q[2], q[1], q[0];
  return m;
}

/// The 4 x 4 matrix of left multiplication by (0, a): a+ q = E(q)^T a.
template <class T>
Eigen::Matrix<T, 4, 4> leftVectorMatrix(const Vector<T, 3>& a) {
  return leftMatrix(pureQuaternion(a));
}

/// The 4 x 4 matrix of right multiplication by (0, a): a- q = G(q)^T a.
template <class T>
Eigen::Matrix<T, 4, 4> rightVectorMatrix(const Vector<T, 3>& a) {
  return rightMatrix(pureQuaternion(a));
}

/// The same rotation with a non-negative scalar part.
template <class T>
Vector<T, 4> withPositiveScalar(const Vector<T, 4>& q) {
  return q[0] < T(0) ? Vector<T, 4>(-q) : q;
}

}  // namespace polhode
