#pragma once

#include "system/smooth_system.h"

/// Momenta that a system conserves, found from its M(q), V(q), g(q) and forces f.
///
/// Along a constant direction a in which nothing changes, a . p is conserved (p = M v the momenta):
///
///     d_a M = 0,   d_a V = 0,   G a = 0,   f . a = 0      for all q, v, t
///
/// For a coordinate axis this is a cyclic coordinate, as the azimuth of a pendulum; for the sum of several it is a
/// translation.
namespace polhode {

/// An orthonormal basis of these directions, one a column; coordinate axes where they are among them. The conditions are
/// looked at in several places around q.
MatrixX cyclicDirections(const SmoothSystem& system, const VectorX& q);

}  // namespace polhode
