#pragma once

#include "polhode/math/types.h"

/// Where bodies are and how they move. The scalar is a number, or one that carries its derivative along (math/dual.h).
namespace polhode {

/// Bodies are numbered from 0; this is the number of the ground.
constexpr int groundIndex = -1;

/// Where a body is, on the level of directors: its centre of mass x and its axes D = (d1|d2|d3), the columns of its
/// rotation matrix. A placement need not be a rotation: the mean of two placements is one as well, coordinate by
/// coordinate. The default is that of the ground.
template <class Scalar>
struct PlacementOf {
  Vector<Scalar, 3> x = Vector<Scalar, 3>::Zero();
  Eigen::Matrix<Scalar, 3, 3> D = Eigen::Matrix<Scalar, 3, 3>::Identity();

  /// Where a point fixed in the body is.
  Vector<Scalar, 3> point(const Vector3& rho) const { return x + D * rho; }
};

/// How fast a placement changes: x' and D'. The default is that of the ground.
template <class Scalar>
struct PlacementRateOf {
  Vector<Scalar, 3> v = Vector<Scalar, 3>::Zero();
  Eigen::Matrix<Scalar, 3, 3> W = Eigen::Matrix<Scalar, 3, 3>::Zero();

  /// How fast a point fixed in the body moves.
  Vector<Scalar, 3> point(const Vector3& rho) const { return v + W * rho; }
};

/// Where a body is and how it moves.
template <class Scalar>
struct MovingPlacementOf {
  PlacementOf<Scalar> at;
  PlacementRateOf<Scalar> rate;
};

using Placement = PlacementOf<double>;
using PlacementRate = PlacementRateOf<double>;
using MovingPlacement = MovingPlacementOf<double>;

/// The mean of two placements, coordinate by coordinate.
inline Placement mean(const Placement& a, const Placement& b) {
  return {0.5 * (a.x + b.x), 0.5 * (a.D + b.D)};
}

}  // namespace polhode
