#pragma once

#include "math/euler_map.h"
#include "math/quaternion.h"

#include <cmath>

/// One rigid body that turns about a point: a heavy top about its tip, or a free body about its centre of
/// mass.
///
///     T = Omega . J Omega / 2,    V = -g . R(q) s,    s = mass times the centre of mass in body axes
///
/// V is linear in the directors R(q) = (d1 | d2 | d3) and quadratic in the quaternion q,
///
///     V(q) = q . (g o q o s),   grad V(q) = H q,   H = 2 g+ s-     (constant, symmetric, 4 x 4)
///
/// so that the gradient at the mean of two states is an exact discrete gradient in either. The torque in body
/// axes is s x gamma with gamma = R(q)^T g. Everything is measured in the axes of the principal moments J.
namespace polhode::single_body {

/// What the body is and what pulls at it.
struct TopData {
  Vector3 inertia = Vector3::Ones();  // principal moments about the reference point
  Vector3 moment = Vector3::Zero();   // s: mass times the centre of mass seen from that point, body axes
  Vector3 gravity = Vector3::Zero();  // g: acceleration in space

  double potential(const Quaternion& q) const { return -gravity.dot(rotationMatrix(q) * moment); }
  double kinetic(const Vector3& Omega) const { return 0.5 * Omega.dot(inertia.cwiseProduct(Omega)); }

  /// gamma = R(q)^T g, gravity in body axes.
  Vector3 gravityInBody(const Quaternion& q) const { return rotationMatrix(q).transpose() * gravity; }

  /// H, the constant second derivative of V(q).
  Eigen::Matrix4d potentialHessian() const { return 2.0 * leftVectorMatrix(gravity) * rightVectorMatrix(moment); }
};

/// Where the body is and how fast it turns; what every scheme starts from and can be asked for.
struct TopState {
  Quaternion q{1.0, 0.0, 0.0, 0.0};  // unit, body to space
  Vector3 Omega = Vector3::Zero();   // angular velocity in body axes
};

/// The angle vector by which the body turns in a step; what Newton's method starts from.
struct PredictedAngle {
  Vector3 angle;
  double size;  // of its parts together: what a correction is measured against where they cancel, at a
                // turning point
};

/// From the angular velocity half a step ahead, J Omega' = J Omega x Omega + s x gamma; accurate to third
/// order.
inline PredictedAngle predictAngle(const TopData& top, const Vector3& Omega, const Vector3& gamma, double h) {
  const Vector3 torque = top.inertia.cwiseProduct(Omega).cross(Omega) + top.moment.cross(gamma);
  const Vector3 change = 0.5 * h * torque.cwiseQuotient(top.inertia);
  return {h * (Omega + change), std::abs(h) * (Omega.norm() + change.norm())};
}

}  // namespace polhode::single_body
