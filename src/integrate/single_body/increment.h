#pragma once

#include "math/quaternion.h"

/// The rotation from the start of a step to its end, by stereographic projection of the unit sphere:
///
///     q1 = q0 o r(x),    r(x) = (1, x) o (1, -x)^-1 = (1 - |x|^2, 2x) / (1 + |x|^2),    x = tan(angle/4) n
///
/// The papers write the increment with an exponential map (Betsch & Siebert (54), Kinon & Betsch (105)).
/// Every q1 on the sphere but -q0 is reached by either, so the schemes are the same; this one needs no sine,
/// and what occurs at the mean quaternion is rational in x:
///
///     q_mid = (q0 + q1)/2  = q0 o (1, x) / (1 + |x|^2),    |q_mid|^2 = 1/(1 + |x|^2)
///     q1 - q0              = q_mid o (0, 2x)
///     A(x) v               = vec((1, x) o v o (1, -x)) = (1 - |x|^2) v + 2 x (x . v) + 2 x cross v
///     R(q_mid)             = R(q0) A(x) / (1 + |x|^2)^2
///
/// A(x)/(1 + |x|^2) is the rotation by half the increment: it takes components in the body axes at the end of
/// the step to those in the axes half-way, and components in the axes half-way to those at the start.
namespace polhode::single_body {

/// A vector that depends on x, and its derivative.
struct Linearised {
  Vector3 value;
  Matrix3 derivative;
};

/// A(x) v.
inline Vector3 halfTurn(const Vector3& x, const Vector3& v) {
  return (1.0 - x.squaredNorm()) * v + 2.0 * x.dot(v) * x + 2.0 * x.cross(v);
}

/// A(x)^T v.
inline Vector3 halfTurnBack(const Vector3& x, const Vector3& v) {
  return (1.0 - x.squaredNorm()) * v + 2.0 * x.dot(v) * x - 2.0 * x.cross(v);
}

/// d(A(x) v)/dx for a fixed v.
inline Matrix3 halfTurnDerivative(const Vector3& x, const Vector3& v) {
  Matrix3 D = 2.0 * (x * v.transpose() - v * x.transpose() - hat(v));
  D.diagonal().array() += 2.0 * x.dot(v);
  return D;
}

/// d(A(x)^T v)/dx for a fixed v.
inline Matrix3 halfTurnBackDerivative(const Vector3& x, const Vector3& v) {
  Matrix3 D = 2.0 * (x * v.transpose() - v * x.transpose() + hat(v));
  D.diagonal().array() += 2.0 * x.dot(v);
  return D;
}

/// r(x).
inline Quaternion incrementQuaternion(const Vector3& x) {
  const double scale = 1.0 / (1.0 + x.squaredNorm());
  Quaternion r;
  r << (1.0 - x.squaredNorm()) * scale, 2.0 * scale * x;
  return r;
}

/// R(r)^T v - v for a unit r; exactly zero for a vector along the axis. What else changes v in a step is to
/// be added to this, and the sum to v: in a steady motion the two cancel, and must not leave a rounding
/// behind at every step.
inline Vector3 turnBackIncrement(const Quaternion& r, const Vector3& v) {
  const Vector3 u = vectorPart(r), uv = u.cross(v);
  return 2.0 * (u.cross(uv) - r[0] * uv);
}

/// R(r)^T v for a unit r.
inline Vector3 turnBack(const Quaternion& r, const Vector3& v) {
  return v + turnBackIncrement(r, v);
}

/// q1 = q0 o r with |q1| = 1: solves g(q1) = (q1 . q1 - 1)/2 = 0, which every scheme asks for, rather
/// than g(q1) = g(q0). The correction has the size of one rounding, and keeps a million of them from adding
/// up.
inline Quaternion advance(const Quaternion& q0, const Quaternion& r) {
  const Quaternion q1 = multiply(q0, r);
  return q1 + 0.5 * (1.0 - q1.squaredNorm()) * q1;
}

}  // namespace polhode::single_body
