#pragma once

#include "polhode/math/types.h"

#include <cmath>

namespace polhode {

/// The principal axes of a symmetric tensor as the columns of a rotation, by Jacobi's method. The axes stay as near to
/// the given ones as can be: the identity for a diagonal tensor, and no permutation of the axes otherwise.
inline Matrix3 principalAxes(Matrix3 tensor) {
  Matrix3 axes = Matrix3::Identity();
  const double negligible = 1e-15 * tensor.cwiseAbs().maxCoeff();
  for (int sweep = 0; sweep < 30; ++sweep) {
    bool rotated = false;
    for (int i = 0; i < 2; ++i)
      for (int j = i + 1; j < 3; ++j) {
        if (std::abs(tensor(i, j)) <= negligible) continue;
        // The smaller of the two rotations in the plane (i, j) that remove the entry.
        const double theta = (tensor(j, j) - tensor(i, i)) / (2.0 * tensor(i, j));
        const double t = std::copysign(1.0, theta) / (std::abs(theta) + std::hypot(theta, 1.0));
        const double c = 1.0 / std::hypot(t, 1.0);
        Matrix3 turn = Matrix3::Identity();
        turn(i, i) = turn(j, j) = c;
        turn(i, j) = t * c;
        turn(j, i) = -t * c;
        tensor = turn.transpose() * tensor * turn;
        axes = axes * turn;
        rotated = true;
      }
    if (!rotated) break;
  }
  return axes;
}

}  // namespace polhode
