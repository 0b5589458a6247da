#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>

namespace polhode {

/// x^p for a fixed small p and 0 <= x <= 1, to five digits, in a few dependent operations: enough to choose a step size.
/// Nothing of a step can be computed before its size is known, so the library function would be a quarter of the time of a
/// small step.
class QuickPower {
 public:
  explicit QuickPower(double p) {
    for (int e = 0; e < octaves; ++e) ofOctave_[e] = std::exp2(-p * e);
    for (int i = 0; i < intervals; ++i) {
      const double from = 1.0 + static_cast<double>(i) / intervals, to = from + 1.0 / intervals;
      slope_[i] = (std::pow(to, p) - std::pow(from, p)) * intervals;
      // half of what the chord is off in the middle, so that it errs to both sides
      const double middle = 0.5 * (from + to), chord = 0.5 * (std::pow(from, p) + std::pow(to, p));
      constant_[i] = std::pow(from, p) - slope_[i] * from + 0.5 * (std::pow(middle, p) - chord);
    }
  }

  /// Below 2^-127 the power of 2^-127.
  double operator()(double x) const {
    // x = 2^-e m with m in [1, 2): a table for 2^-ep, and a line for m^p in each small interval
    const auto bits = std::bit_cast<std::uint64_t>(x);
    const auto e = std::min<std::uint64_t>(1023 - (bits >> 52), octaves - 1);
    const auto i = (bits >> 46) & (intervals - 1);
    const double m = std::bit_cast<double>((bits & 0x000fffffffffffff) | 0x3ff0000000000000);
    return ofOctave_[e] * (constant_[i] + slope_[i] * m);
  }

 private:
  static constexpr int octaves = 128, intervals = 64;
  double ofOctave_[octaves], constant_[intervals], slope_[intervals];
};

}  // namespace polhode
