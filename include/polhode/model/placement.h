#pragma once

#include "polhode/math/types.h"

namespace polhode {

/// Bodies are numbered from 0; this is the number of the ground.
constexpr int groundIndex = -1;

/// Where a body is, on the level of directors: its centre of mass x and its axes D = (d1|d2|d3), the columns of its
/// rotation matrix. A placement need not be a rotation: the mean of two placements is one as well, coordinate by
/// coordinate. The default is that of the ground.
struct Placement {
  Vector3 x = Vector3::Zero();
  Matrix3 D = Matrix3::Identity();

  /// Where a point fixed in the body is.
  Vector3 point(const Vector3& rho) const { return x + D * rho; }
};

/// How fast a placement changes: x' and D'. The default is that of the ground.
struct PlacementRate {
  Vector3 v = Vector3::Zero();
  Matrix3 W = Matrix3::Zero();

  /// How fast a point fixed in the body moves.
  Vector3 point(const Vector3& rho) const { return v + W * rho; }
};

/// Where a body is and how it moves.
struct MovingPlacement {
  Placement at;
  PlacementRate rate;
};

/// The mean of two placements, coordinate by coordinate.
inline Placement mean(const Placement& a, const Placement& b) {
  return {0.5 * (a.x + b.x), 0.5 * (a.D + b.D)};
}

}  // namespace polhode
