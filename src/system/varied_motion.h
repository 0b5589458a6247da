#pragma once

#include "math/dual.h"
#include "math/quaternion.h"
#include "system/mechanism_observation.h"

/// Motions that carry along how they change in one direction (math/dual.h): what is computed from them carries its derivative.
namespace polhode {

template <class Scalar>
using VectorXOf = Eigen::Matrix<Scalar, Eigen::Dynamic, 1>;

using VariedMotion = std::vector<MovingPlacementOf<Varied>>;

/// Numbers with their changes.
template <class Numbers>
auto varied(const Numbers& values, const Numbers& changes) {
  return values
      .binaryExpr(changes,
                  [](double value, double change) { return Varied(value, Varied::Derivative::Constant(change)); })
      .eval();
}

/// The changes alone.
template <class VariedNumbers>
auto changesIn(const VariedNumbers& numbers) {
  return numbers.unaryExpr([](const Varied& number) { return number.derivative()[0]; }).eval();
}

inline MovingPlacementOf<Varied> varied(const MovingPlacement& motion, const MovingPlacement& change) {
  return {{varied(motion.at.x, change.at.x), varied(motion.at.D, change.at.D)},
          {varied(motion.rate.v, change.rate.v), varied(motion.rate.W, change.rate.W)}};
}

/// The motion, and its change.
inline MovingPlacement motionIn(const MovingPlacementOf<Varied>& body) {
  const auto values = [](const auto& numbers) {
    return numbers.unaryExpr([](const Varied& number) { return number.value(); }).eval();
  };
  return {{values(body.at.x), values(body.at.D)}, {values(body.rate.v), values(body.rate.W)}};
}
inline MovingPlacement changeIn(const MovingPlacementOf<Varied>& body) {
  return {{changesIn(body.at.x), changesIn(body.at.D)}, {changesIn(body.rate.v), changesIn(body.rate.W)}};
}

/// Bodies that move with these velocities (six components each), moved and turned by a change of place while their velocities
/// change: W = omega^ D.
inline VariedMotion variedMotion(const MechanismMotion& bodies, const VectorX& place, const VectorX& velocities,
                                 const VectorX& velocityChange) {
  VariedMotion result(bodies.size());
  for (std::size_t b = 0; b < bodies.size(); ++b) {
    const auto move = static_cast<Eigen::Index>(6 * b), turn = move + 3;
    const auto vary = [](const VectorX& values, const VectorX& changes, Eigen::Index at) {
      return varied(Vector3(values.segment<3>(at)), Vector3(changes.segment<3>(at)));
    };
    const Placement& at = bodies[b].at;
    result[b].at = {varied(at.x, Vector3(place.segment<3>(move))),
                    varied(at.D, Matrix3(hat(Vector3(place.segment<3>(turn))) * at.D))};
    result[b].rate = {vary(velocities, velocityChange, move),
                      hat(vary(velocities, velocityChange, turn)) * result[b].at.D};
  }
  return result;
}

/// The body of that number, or the ground.
inline const MovingPlacementOf<Varied>& motionOf(const VariedMotion& bodies, int index) {
  static const MovingPlacementOf<Varied> ground;
  return index == groundIndex ? ground : bodies[static_cast<std::size_t>(index)];
}

/// For the questions to rows (joint_row.h).
inline auto motionsIn(const VariedMotion& bodies) {
  return [&bodies](int body) -> const MovingPlacementOf<Varied>& { return motionOf(bodies, body); };
}

}  // namespace polhode
