#pragma once

#include "polhode/model/shape.h"

#include <numbers>

namespace polhode::shapes {

using std::numbers::pi;

inline Matrix3 momentsOf(double x, double y, double z) {
  return Vector3(x, y, z).asDiagonal();
}

/// The three lengths of a key that has one along each axis.
inline Vector3 alongAxes(const std::vector<double>& lengths) {
  return {lengths[0], lengths[1], lengths[2]};
}

/// The moments of a solid whose second moments of area along its axes are `share` of the squares of three lengths.
inline Matrix3 momentsOfSquares(double mass, double share, const Vector3& lengths) {
  const Vector3 squares = share * mass * lengths.cwiseAbs2();
  return momentsOf(squares.y() + squares.z(), squares.z() + squares.x(), squares.x() + squares.y());
}

}  // namespace polhode::shapes
