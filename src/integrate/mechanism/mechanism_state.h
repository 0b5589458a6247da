#pragma once

#include "math/quaternion.h"
#include "system/mechanism_observation.h"

#include <vector>

namespace polhode {

/// What rounding took from a placement.
struct LostDigits {
  Vector3 x = Vector3::Zero();
  Matrix3 D = Matrix3::Zero();
};

/// Adds to a sum what it is increased by and what was lost before; `lost` is what this rounds off (Knuth's two-sum).
template <class Sum>
void addKeepingDigits(Sum& sum, const Sum& increment, Sum& lost) {
  const Sum add = increment + lost, before = sum;
  sum = before + add;
  const Sum added = sum - before;
  lost = (before - (sum - added)) + (add - added);
}

/// A small part of what makes D orthonormal again: enough for what little its increments take away, and too little to
/// stir its last digits in every step.
inline Matrix3 towardsOrthonormal(const Matrix3& D) {
  return 0.005 * D * (Matrix3::Identity() - D.transpose() * D);
}

/// A body at the end of a step h in which it has gone by dx and turned by c, to directors D1: from the increments themselves, not
/// from differences of rounded placements.
inline void moveOn(MovingPlacement& body, LostDigits& lost, double h, const Vector3& dx, const Vector3& c,
                   const Matrix3& D1) {
  const double rate = 2.0 / h;
  const Matrix3 Dm = 0.5 * (body.at.D + D1), turned = hat(c) * Dm;
  body.rate.v = rate * dx - body.rate.v;
  body.rate.W = rate * turned - body.rate.W;
  addKeepingDigits(body.at.x, dx, lost.x);
  addKeepingDigits(body.at.D, Matrix3(turned + towardsOrthonormal(D1)), lost.D);
}

/// A mechanism in motion, as the conserving engine carries it.
struct MechanismState {
  double time = 0.0;
  double work = 0.0;  // of loads and dampers since the start
  MechanismMotion bodies;
  VectorX multipliers;  // of all joint rows over the last step: force on the second body along the row's gradient
  std::vector<LostDigits> lost = {};  // of all bodies, to be given back in the next step; empty before the first

  template <class Archive>
  void persist(Archive& archive) {
    archive(time, work, bodies, multipliers, lost);
  }
};

/// As the model has it, at t = 0.
inline MechanismState startOf(const Mechanism& mechanism) {
  return {0.0, 0.0, initialMotion(mechanism), VectorX::Zero(mechanism.rows())};
}

/// How fast a body turns, in space, as far as its directors tell: sum_i d_i cross w_i / 2.
inline Vector3 turnRate(const MovingPlacement& body) {
  Vector3 sum = Vector3::Zero();
  for (int i = 0; i < 3; ++i) sum += body.at.D.col(i).cross(body.rate.W.col(i));
  return 0.5 * sum;
}

/// x and the columns of D, or their rates, as twelve numbers where they lie.
using Twelve = Eigen::Matrix<double, 12, 1>;
static_assert(sizeof(Placement) == sizeof(Twelve) && sizeof(PlacementRate) == sizeof(Twelve));
inline Eigen::Map<Twelve> twelve(Placement& at) {
  return Eigen::Map<Twelve>(at.x.data());
}
inline Eigen::Map<Twelve> twelve(PlacementRate& rate) {
  return Eigen::Map<Twelve>(rate.v.data());
}
inline Eigen::Map<const Twelve> twelve(const PlacementRate& rate) {
  return Eigen::Map<const Twelve>(rate.v.data());
}

}  // namespace polhode
