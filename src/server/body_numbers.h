#pragma once

#include "polhode/model/model.h"

#include <span>

/// Numbers of a body that follow from where it is and how it moves, and that recordings do not keep:
///
///     kinetic_energy      m v.v / 2 + w.J w / 2
///     rotation_vector     its turn from the axes of space: along the axis of this turn, as long as its angle, at most pi
///     cardan_angles       R = Rx(a) Ry(b) Rz(c), about the moving axes; not told where b is a quarter turn, where a and c are not unique
namespace polhode::live {

struct BodyNumber {
  const char* quantity;
  const char* component;  // "x"; empty for a number that stands alone
  bool needsMotion;       // velocities, mass and inertia
  double (*value)(const Body&);
};

std::span<const BodyNumber> bodyNumbers();

}  // namespace polhode::live
