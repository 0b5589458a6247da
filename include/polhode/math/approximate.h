#pragma once

#include <bit>
#include <cstdint>

/// Logarithm and exponential to five digits, without division and with short chains of dependent operations: enough to
/// choose a step size. Nothing can be computed before the step size is known, so the library functions would be a
/// quarter of the time of a small step.
namespace polhode {

/// log2(x) for normal x > 0, to an absolute error below 1e-5; about -1023 for x = 0.
inline double approximateLog2(double x) {
  // x = 2^e (1 + u) with 1 + u in [sqrt 1/2, sqrt 2); log2(1 + u)/u is a polynomial (Chebyshev interpolation).
  const auto bits = std::bit_cast<std::uint64_t>(x);
  const std::int64_t e = (static_cast<std::int64_t>(bits) - 0x3fe6a09e667f3bcd) >> 52;
  const double u = std::bit_cast<double>(bits - (static_cast<std::uint64_t>(e) << 52)) - 1.0, u2 = u * u;
  const double p =
      (1.44270044 - 0.72119575 * u) + u2 * ((0.47992557 - 0.36692577 * u) + u2 * (0.31689819 - 0.20228926 * u));
  return static_cast<double>(e) + u * p;
}

/// 2^x for |x| < 1000, to a relative error below 5e-6.
inline double approximateExp2(double x) {
  // x = n + r with |r| <= 1/2, and 2^r a polynomial (Chebyshev interpolation). Adding 1.5 * 2^52 rounds x to n, which
  // then stands in the lowest bits, from where it moves into the exponent.
  constexpr double rounder = 6755399441055744.0;
  const double shifted = x + rounder;
  const double r = x - (shifted - rounder), r2 = r * r;
  const double p = (1.0 + 0.69312105 * r) + r2 * ((0.24022349 + 0.05592198 * r) + r2 * 0.00966637);
  const std::uint64_t exponent = (std::bit_cast<std::uint64_t>(shifted) << 52) + 0x3ff0000000000000;
  return p * std::bit_cast<double>(exponent);
}

}  // namespace polhode
