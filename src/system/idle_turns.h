#pragma once

#include "system/mechanism.h"

#include <vector>

namespace polhode {

/// Inertia for turns that nothing resists. A point mass may turn freely about its centre and a thin rod on a ball joint
/// about itself without any effect on the rest; then the equations do not determine how these turn. In a placement the
/// idle directions are the null space of
///
///     ( M )      M = diag(m_i I3, D_i J_i D_i^T),
///     ( G )      G the joints, both with respect to displacements and turns of all bodies,
///
/// and each body gets the inertia s sum_k w_k w_k^T, w_k its turn in the k-th direction of an orthonormal basis. As no
/// other part of the motion has a share in these directions, nothing else changes, whatever s is.
///
/// Returns one tensor in principal axes for each body, all zero for a mechanism without idle turns. Only the directions
/// that stay idle are of use: those fixed in the bodies.
std::vector<Matrix3> idleTurnInertia(const Mechanism& mechanism);

}  // namespace polhode
