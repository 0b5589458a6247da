#pragma once

#include "polhode/math/types.h"

#include <cmath>
#include <compare>
#include <type_traits>

/// Dual numbers: a value and its N first derivatives, carried exactly through every operation.
///
///     f(a + a' e) = f(a) + f'(a) a' e,      e^2 = 0
///
/// A function written as a template on its scalar is differentiated by calling it with Dual<N>:
///
///     auto pendulum = [](const auto& q) { return 9.81 * (1 - cos(q[0])); };
///     const auto dV = gradient(pendulum, q);
///
/// The derivatives are those of the formula as written, to round-off; no step size is involved. Where a
/// function has no derivative (abs and sqrt at zero) the rule of calculus is applied as it stands: abs takes
/// +1, sqrt is infinite.
///
/// Reference: Griewank & Walther 2008, Evaluating derivatives, chapter 3 (forward mode).
namespace polhode {

template <int N>
class Dual {
 public:
  using Derivative = Eigen::Matrix<double, N, 1>;

  Dual() : derivative_(Derivative::Zero()) {}
  Dual(double value) : value_(value), derivative_(Derivative::Zero()) {}  // implicit: a constant
  Dual(double value, const Derivative& derivative) : value_(value), derivative_(derivative) {}

  /// The variable number `index`: its derivative by itself is one.
  static Dual variable(double value, Eigen::Index index) { return {value, Derivative::Unit(index)}; }

  double value() const { return value_; }
  const Derivative& derivative() const { return derivative_; }

  // arithmetic
  friend Dual operator+(const Dual& a, const Dual& b) { return {a.value_ + b.value_, a.derivative_ + b.derivative_}; }
  friend Dual operator-(const Dual& a, const Dual& b) { return {a.value_ - b.value_, a.derivative_ - b.derivative_}; }
  friend Dual operator-(const Dual& a) { return {-a.value_, -a.derivative_}; }
  friend Dual operator*(const Dual& a, const Dual& b) {
    return {a.value_ * b.value_, a.derivative_ * b.value_ + a.value_ * b.derivative_};
  }
  friend Dual operator/(const Dual& a, const Dual& b) {
    const double quotient = a.value_ / b.value_;
    return {quotient, (a.derivative_ - quotient * b.derivative_) / b.value_};
  }
  Dual& operator+=(const Dual& b) { return *this = *this + b; }
  Dual& operator-=(const Dual& b) { return *this = *this - b; }
  Dual& operator*=(const Dual& b) { return *this = *this * b; }
  Dual& operator/=(const Dual& b) { return *this = *this / b; }

  // comparisons look at the values alone
  friend bool operator==(const Dual& a, const Dual& b) { return a.value_ == b.value_; }
  friend auto operator<=>(const Dual& a, const Dual& b) { return a.value_ <=> b.value_; }

  // functions of one variable: value and slope
  friend Dual sin(const Dual& a) { return a.chain(std::sin(a.value_), std::cos(a.value_)); }
  friend Dual cos(const Dual& a) { return a.chain(std::cos(a.value_), -std::sin(a.value_)); }
  friend Dual tan(const Dual& a) {
    const double t = std::tan(a.value_);
    return a.chain(t, 1 + t * t);
  }
  friend Dual asin(const Dual& a) {
    return a.chain(std::asin(a.value_), 1 / std::sqrt((1 - a.value_) * (1 + a.value_)));
  }
  friend Dual acos(const Dual& a) {
    return a.chain(std::acos(a.value_), -1 / std::sqrt((1 - a.value_) * (1 + a.value_)));
  }
  friend Dual atan(const Dual& a) { return a.chain(std::atan(a.value_), 1 / (1 + a.value_ * a.value_)); }
  friend Dual sinh(const Dual& a) { return a.chain(std::sinh(a.value_), std::cosh(a.value_)); }
  friend Dual cosh(const Dual& a) { return a.chain(std::cosh(a.value_), std::sinh(a.value_)); }
  friend Dual tanh(const Dual& a) {
    const double t = std::tanh(a.value_);
    return a.chain(t, (1 - t) * (1 + t));
  }
  friend Dual exp(const Dual& a) {
    const double e = std::exp(a.value_);
    return a.chain(e, e);
  }
  friend Dual log(const Dual& a) { return a.chain(std::log(a.value_), 1 / a.value_); }
  friend Dual sqrt(const Dual& a) {
    const double root = std::sqrt(a.value_);
    return a.chain(root, 0.5 / root);
  }
  friend Dual abs(const Dual& a) { return a.value_ < 0 ? -a : a; }
  friend Dual pow(const Dual& a, double exponent) {
    if (exponent == 0) return 1.0;
    return a.chain(std::pow(a.value_, exponent), exponent * std::pow(a.value_, exponent - 1));
  }

  // functions of two variables
  friend Dual pow(const Dual& a, const Dual& b) {
    const Dual fixed = pow(a, b.value_);
    if (b.derivative_.isZero(0)) return fixed;  // no logarithm, so that the base may be negative
    return {fixed.value_, fixed.derivative_ + fixed.value_ * std::log(a.value_) * b.derivative_};
  }
  friend Dual atan2(const Dual& y, const Dual& x) {
    const double square = y.value_ * y.value_ + x.value_ * x.value_;
    return {std::atan2(y.value_, x.value_), (x.value_ * y.derivative_ - y.value_ * x.derivative_) / square};
  }
  friend Dual hypot(const Dual& x, const Dual& y) {
    const double length = std::hypot(x.value_, y.value_);
    return {length, (x.value_ * x.derivative_ + y.value_ * y.derivative_) / length};
  }
  friend bool isfinite(const Dual& a) { return std::isfinite(a.value_) && a.derivative_.allFinite(); }

 private:
  Dual chain(double value, double slope) const { return {value, slope * derivative_}; }

  double value_ = 0;
  Derivative derivative_;
};

namespace detail {

/// Directions of one sweep over a vector whose length is known only at run time.
inline constexpr int sweepWidth = 8;

template <int N>
inline constexpr int directionsOf = N == Eigen::Dynamic ? sweepWidth : N;

/// x with the unit vectors first, first + 1, ... as derivatives.
template <int N>
Vector<Dual<directionsOf<N>>, N> seed(const Vector<double, N>& x, Eigen::Index first) {
  using D = Dual<directionsOf<N>>;
  Vector<D, N> seeded = x.template cast<D>();
  for (Eigen::Index k = 0; k < directionsOf<N> && first + k < x.size(); ++k)
    seeded[first + k] = D::variable(x[first + k], k);
  return seeded;
}

}  // namespace detail

/// d f / d x for a function that takes a vector of any scalar and returns a vector of the same scalar.
/// Vectors of dynamic size are swept a few directions at a time.
template <class Function, int N>
auto jacobian(Function&& f, const Vector<double, N>& x) {
  using Result = std::decay_t<decltype(f(detail::seed(x, 0)))>;
  constexpr int rows = Result::RowsAtCompileTime;
  constexpr int width = detail::directionsOf<N>;

  Eigen::Matrix<double, rows, N> derivative;
  for (Eigen::Index first = 0; first < x.size(); first += width) {
    const Result y = f(detail::seed(x, first));
    derivative.resize(y.size(), x.size());
    for (Eigen::Index row = 0; row < y.size(); ++row)
      for (Eigen::Index k = 0; k < width && first + k < x.size(); ++k)
        derivative(row, first + k) = y[row].derivative()[k];
  }
  return derivative;
}

/// The gradient of a function that takes a vector of any scalar and returns one number of the same scalar.
template <class Function, int N>
Vector<double, N> gradient(Function&& f, const Vector<double, N>& x) {
  constexpr int width = detail::directionsOf<N>;
  Vector<double, N> derivative(x.size());
  for (Eigen::Index first = 0; first < x.size(); first += width) {
    const Dual<width> y = f(detail::seed(x, first));
    for (Eigen::Index k = 0; k < width && first + k < x.size(); ++k) derivative[first + k] = y.derivative()[k];
  }
  return derivative;
}

}  // namespace polhode

template <int N>
struct Eigen::NumTraits<polhode::Dual<N>> : Eigen::NumTraits<double> {
  using Real = polhode::Dual<N>;
  using NonInteger = polhode::Dual<N>;
  using Nested = polhode::Dual<N>;
  using Literal = polhode::Dual<N>;
  enum {
    IsComplex = 0,
    IsInteger = 0,
    IsSigned = 1,
    RequireInitialization = 1,
    ReadCost = N + 1,
    AddCost = N + 1,
    MulCost = 3 * N + 1
  };
};

/// Matrices of constants may stand beside matrices of dual numbers.
template <int N, class Operation>
struct Eigen::ScalarBinaryOpTraits<double, polhode::Dual<N>, Operation> {
  using ReturnType = polhode::Dual<N>;
};
template <int N, class Operation>
struct Eigen::ScalarBinaryOpTraits<polhode::Dual<N>, double, Operation> {
  using ReturnType = polhode::Dual<N>;
};
