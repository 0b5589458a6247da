#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

/// Interval arithmetic: bounds that a number is certain to keep, carried through every operation.
///
///     f([a, b]) contains f(x) for all a <= x <= b
///
/// A function written as a template on its scalar is bounded over a whole range of its argument by calling it with an
/// Interval. Bounds are wide rather than narrow: where an argument occurs twice, x - x, both are taken as independent.
/// They are widened by some roundings after each operation. Where a function is not defined on a part of its argument that
/// part is left out; where it is defined nowhere the result is the whole line.
///
/// Reference: Moore, Kearfott & Cloud 2009, Introduction to Interval Analysis.
namespace polhode {

class Interval {
 public:
  Interval(double number = 0.0) : least_(number), greatest_(number) {}
  Interval(double least, double greatest) : least_(least), greatest_(greatest) {}

  static Interval everything() {
    return {-std::numeric_limits<double>::infinity(), std::numeric_limits<double>::infinity()};
  }

  double least() const { return least_; }
  double greatest() const { return greatest_; }
  bool isNumber() const { return least_ == greatest_; }
  bool contains(double number) const { return least_ <= number && number <= greatest_; }

  friend Interval operator-(const Interval& a) { return {-a.greatest_, -a.least_}; }
  friend Interval operator+(const Interval& a, const Interval& b) {
    return outward(a.least_ + b.least_, a.greatest_ + b.greatest_);
  }
  friend Interval operator-(const Interval& a, const Interval& b) { return a + -b; }
  friend Interval operator*(const Interval& a, const Interval& b) {
    return corners(a, b, [](double x, double y) { return x == 0.0 || y == 0.0 ? 0.0 : x * y; });
  }
  friend Interval operator/(const Interval& a, const Interval& b) {
    if (b.contains(0.0)) return everything();
    return corners(a, b, [](double x, double y) { return x / y; });
  }

  /// The least interval that holds the values of a function with no extreme inside.
  template <class Function>
  static Interval monotone(const Interval& a, const Function& function) {
    const double x = function(a.least_), y = function(a.greatest_);
    return outward(std::min(x, y), std::max(x, y));
  }

  /// The same for a function of two, monotone in each.
  template <class Function>
  static Interval corners(const Interval& a, const Interval& b, const Function& function) {
    const double x = function(a.least_, b.least_), y = function(a.least_, b.greatest_),
                 z = function(a.greatest_, b.least_), w = function(a.greatest_, b.greatest_);
    if (std::isnan(x + y + z + w) && (std::isnan(x) || std::isnan(y) || std::isnan(z) || std::isnan(w)))
      return everything();
    return outward(std::min({x, y, z, w}), std::max({x, y, z, w}));
  }

  /// The part of it between two bounds; the whole line if there is none.
  Interval within(double least, double greatest) const {
    const Interval part{std::max(least_, least), std::min(greatest_, greatest)};
    return part.least_ <= part.greatest_ ? part : everything();
  }

 private:
  static Interval outward(double least, double greatest) {
    if (std::isnan(least) || std::isnan(greatest)) return everything();
    constexpr double rounding = 4.0 * std::numeric_limits<double>::epsilon();
    return {least - rounding * std::abs(std::isinf(least) ? 0.0 : least),
            greatest + rounding * std::abs(std::isinf(greatest) ? 0.0 : greatest)};
  }

  double least_, greatest_;
};

/// Sine: one where a quarter turn and whole turns lie inside, minus one likewise.
inline Interval sin(const Interval& a) {
  using std::numbers::pi;
  if (!(a.greatest() - a.least() < 2.0 * pi)) return {-1.0, 1.0};
  const auto passes = [&](double angle) {  // whether angle + 2 pi k lies inside, for a whole k
    return std::floor((a.greatest() - angle) / (2.0 * pi)) >= std::ceil((a.least() - angle) / (2.0 * pi));
  };
  const Interval ends = Interval::monotone(a, [](double x) { return std::sin(x); });
  return {passes(-0.5 * pi) ? -1.0 : ends.least(), passes(0.5 * pi) ? 1.0 : ends.greatest()};
}
inline Interval cos(const Interval& a) {
  return sin(a + Interval(0.5 * std::numbers::pi));
}
inline Interval tan(const Interval& a) {
  const double turns = std::round(a.least() / std::numbers::pi);
  const Interval branch{(turns - 0.5) * std::numbers::pi, (turns + 0.5) * std::numbers::pi};
  if (!(branch.contains(a.least()) && branch.contains(a.greatest()))) return Interval::everything();
  return Interval::monotone(a, [](double x) { return std::tan(x); });
}

inline Interval exp(const Interval& a) {
  return Interval::monotone(a, [](double x) { return std::exp(x); });
}
inline Interval sinh(const Interval& a) {
  return Interval::monotone(a, [](double x) { return std::sinh(x); });
}
inline Interval tanh(const Interval& a) {
  return Interval::monotone(a, [](double x) { return std::tanh(x); });
}
inline Interval atan(const Interval& a) {
  return Interval::monotone(a, [](double x) { return std::atan(x); });
}
inline Interval asin(const Interval& a) {
  return Interval::monotone(a.within(-1.0, 1.0), [](double x) { return std::asin(x); });
}
inline Interval acos(const Interval& a) {
  return Interval::monotone(a.within(-1.0, 1.0), [](double x) { return std::acos(x); });
}
inline Interval log(const Interval& a) {
  return Interval::monotone(a.within(0.0, std::numeric_limits<double>::infinity()),
                            [](double x) { return std::log(x); });
}
inline Interval sqrt(const Interval& a) {
  return Interval::monotone(a.within(0.0, std::numeric_limits<double>::infinity()),
                            [](double x) { return std::sqrt(x); });
}

inline Interval abs(const Interval& a) {
  const double x = std::abs(a.least()), y = std::abs(a.greatest());
  return {a.contains(0.0) ? 0.0 : std::min(x, y), std::max(x, y)};
}
inline Interval cosh(const Interval& a) {
  return Interval::monotone(abs(a), [](double x) { return std::cosh(x); });
}

inline Interval min(const Interval& a, const Interval& b) {
  return {std::min(a.least(), b.least()), std::min(a.greatest(), b.greatest())};
}
inline Interval max(const Interval& a, const Interval& b) {
  return {std::max(a.least(), b.least()), std::max(a.greatest(), b.greatest())};
}

/// a^b: of a negative base with whole exponents only.
inline Interval pow(const Interval& a, const Interval& b) {
  const auto power = [](double x, double y) { return std::pow(x, y); };
  if (a.least() >= 0.0) return Interval::corners(a, b, power);
  if (!b.isNumber() || b.least() != std::round(b.least())) return Interval::everything();
  const double n = b.least();
  if (n < 0.0 && a.contains(0.0)) return Interval::everything();
  const bool even = std::fmod(n, 2.0) == 0.0;
  return Interval::corners(even ? abs(a) : a, b, power);
}

}  // namespace polhode
