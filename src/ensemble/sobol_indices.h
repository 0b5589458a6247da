#pragma once

#include <cstdint>
#include <span>
#include <vector>

/// How much of the variance V of a measure f comes from each parameter i: alone (first order), and with all that it does
/// together with others (total). From n rows of two independent tables A and B, and A with column i of B,
///
///     S_i  = 1/(n V)  sum f(B) (f(A_i) - f(A)),      T_i = 1/(2 n V) sum (f(A) - f(A_i))^2
///
/// with f taken from its mean. Intervals hold 95 % of what comes out where the n rows are drawn again from themselves
/// (bootstrap), for a seed.
///
/// Reference: A. Saltelli and others, Variance based sensitivity analysis of model output, Computer Physics Communications 181
/// (2010), table 2, (b) and (f); the second is M. J. W. Jansen's (1999).
namespace polhode::ensemble {

struct Interval {
  double low = 0.0, high = 0.0;
};

struct SobolIndex {
  double first = 0.0, total = 0.0;
  Interval firstRange, totalRange;
};

/// `values` holds f(A), f(B), f(A_1), ..., f(A_k) of one row after the other (Sweep); a row in which one is not a number is
/// left out. Empty where fewer than two rows stay, or nothing varies.
std::vector<SobolIndex> sobolIndices(std::span<const double> values, std::size_t dimensions, std::uint64_t seed = 1);

}  // namespace polhode::ensemble
