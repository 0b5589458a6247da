#pragma once

#include "math/euler_map.h"
#include "system/smooth_system.h"

#include <memory>
#include <numbers>

namespace polhode::test {

/// A symmetric heavy top with a fixed tip in quaternions: q in R^4, M = 4 G(q)^T J G(q), which has rank 3,
/// V = m g L (e3 . d3), g = (|q|^2 - 1)/2 (Kinon & Betsch 2024, (46), (115), (30)).
std::unique_ptr<SmoothSystem> quaternionTop();

/// The same with the kinetic energy in its invariant, the angular velocity Omega = 2 G(q) v: discrete gradients by the
/// chain rule are then those of Kinon & Betsch (87), (88).
std::unique_ptr<SmoothSystem> invariantTop();

/// Steady precession: nutation 60 degrees, precession 10 rad/s, spin 135.6 rad/s (Kinon & Betsch
/// (117)-(119)).
inline VectorX steadyPrecessionState() {
  const double half = std::numbers::pi / 6;
  const Quaternion q(std::cos(half), std::sin(half), 0, 0);
  const Matrix3 R = rotationMatrix(q);
  const Vector3 omega = 10 * Vector3::UnitZ() + 135.6 * R.col(2);
  VectorX state(8);
  state << q, 0.5 * spaceMatrix(q).transpose() * omega;
  return state;
}

/// |d3 - d3_ref| against the analytic axis d3 = (sin th sin(wp t), -sin th cos(wp t), cos th).
inline double steadyPrecessionError(double t, const Quaternion& q) {
  const double theta = std::numbers::pi / 3;
  const Vector3 reference(std::sin(theta) * std::sin(10 * t), -std::sin(theta) * std::cos(10 * t), std::cos(theta));
  return (rotationMatrix(q).col(2) - reference).norm();
}

/// Angular momentum in space, E(q) p / 2 (Kinon & Betsch (64)).
inline Vector3 angularMomentum(const Quaternion& q, const Quaternion& p) {
  return 0.5 * (spaceMatrix(q) * p);
}

}  // namespace polhode::test
