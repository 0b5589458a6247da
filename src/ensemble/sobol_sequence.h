#pragma once

#include <cstdint>

namespace polhode::ensemble {

/// Sobol' points: numbers between 0 and 1 that fill a cube evenly, so that of the first 2^k every interval of length 2^-k
/// holds one in each dimension. Point number i is, with the binary digits g_j of its Gray code i ^ (i >> 1),
///
///     x_i = g_1 v_1 ^ g_2 v_2 ^ ...,    v_j = m_j / 2^j,
///     m_j = 2 a_1 m_(j-1) ^ 4 a_2 m_(j-2) ^ ... ^ 2^(s-1) a_(s-1) m_(j-s+1) ^ 2^s m_(j-s) ^ m_(j-s)
///
/// of a primitive polynomial of degree s with the digits a. Each point can be had alone, so that members may be made in any
/// order and anywhere.
///
/// Reference: S. Joe and F. Y. Kuo, Constructing Sobol sequences with better two-dimensional projections, SIAM Journal on
/// Scientific Computing 30 (2008), 2635-2654; polynomials and first numbers m are those of their list new-joe-kuo-6.
constexpr unsigned mostSobolDimensions = 52;

/// Coordinate `dimension` (from 0) of point `number`, as 32 binary digits behind the point.
std::uint32_t sobolDigits(std::uint32_t number, unsigned dimension);

}  // namespace polhode::ensemble
