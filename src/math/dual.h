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
/// The scalar that carries value and derivatives may be a dual number itself: Dual<N, Dual<N>> carries second
/// derivatives, `value(a)` takes the number out of any depth.
///
/// Reference: Griewank & Walther 2008, Evaluating derivatives, chapter 3 (forward mode).
namespace polhode {

template <int N, class T = double>
class Dual {
 public:
  using Derivative = Eigen::Matrix<T, N, 1>;

  Dual() : derivative_(Derivative::Zero()) {}
  Dual(const T& value) : value_(value), derivative_(Derivative::Zero()) {}  // implicit: a constant
  Dual(double value) requires(!std::is_same_v<T, double>) : value_(value), derivative_(Derivative::Zero()) {}
  Dual(const T& value, const Derivative& derivative) : value_(value), derivative_(derivative) {}

  /// The variable number `index`: its derivative by itself is one.
  static Dual variable(const T& value, Eigen::Index index) { return {value, Derivative::Unit(index)}; }

  const T& value() const { return value_; }
  const Derivative& derivative() const { return derivative_; }

  /// Whether all derivatives are zero, at every depth.
  bool isConstant() const {
    for (const T& d : derivative_)
      if (d != 0) return false;
    if constexpr (!std::is_same_v<T, double>) {
      for (const T& d : derivative_)
        if (!d.isConstant()) return false;
      return value_.isConstant();
    }
    return true;
  }

  // arithmetic
  friend Dual operator+(const Dual& a, const Dual& b) { return {a.value_ + b.value_, a.derivative_ + b.derivative_}; }
  friend Dual operator-(const Dual& a, const Dual& b) { return {a.value_ - b.value_, a.derivative_ - b.derivative_}; }
  friend Dual operator-(const Dual& a) { return {-a.value_, -a.derivative_}; }
  friend Dual operator*(const Dual& a, const Dual& b) {
    return {a.value_ * b.value_, a.derivative_ * b.value_ + b.derivative_ * a.value_};
  }
  friend Dual operator/(const Dual& a, const Dual& b) {
    const T quotient = a.value_ / b.value_;
    return {quotient, (a.derivative_ - b.derivative_ * quotient) / b.value_};
  }
  Dual& operator+=(const Dual& b) { return *this = *this + b; }
  Dual& operator-=(const Dual& b) { return *this = *this - b; }
  Dual& operator*=(const Dual& b) { return *this = *this * b; }
  Dual& operator/=(const Dual& b) { return *this = *this / b; }

  // comparisons look at the values alone
  friend bool operator==(const Dual& a, const Dual& b) { return a.value_ == b.value_; }
  friend auto operator<=>(const Dual& a, const Dual& b) { return a.value_ <=> b.value_; }

  // functions of one variable: value and slope
  friend Dual sin(const Dual& a) {
    using std::cos, std::sin;
    return a.chain(sin(a.value_), cos(a.value_));
  }
  friend Dual cos(const Dual& a) {
    using std::cos, std::sin;
    return a.chain(cos(a.value_), -sin(a.value_));
  }
  friend Dual tan(const Dual& a) {
    using std::tan;
    const T t = tan(a.value_);
    return a.chain(t, 1 + t * t);
  }
  friend Dual asin(const Dual& a) {
    using std::asin, std::sqrt;
    return a.chain(asin(a.value_), 1 / sqrt((1 - a.value_) * (1 + a.value_)));
  }
  friend Dual acos(const Dual& a) {
    using std::acos, std::sqrt;
    return a.chain(acos(a.value_), -1 / sqrt((1 - a.value_) * (1 + a.value_)));
  }
  friend Dual atan(const Dual& a) {
    using std::atan;
    return a.chain(atan(a.value_), 1 / (1 + a.value_ * a.value_));
  }
  friend Dual sinh(const Dual& a) {
    using std::cosh, std::sinh;
    return a.chain(sinh(a.value_), cosh(a.value_));
  }
  friend Dual cosh(const Dual& a) {
    using std::cosh, std::sinh;
    return a.chain(cosh(a.value_), sinh(a.value_));
  }
  friend Dual tanh(const Dual& a) {
    using std::tanh;
    const T t = tanh(a.value_);
    return a.chain(t, (1 - t) * (1 + t));
  }
  friend Dual exp(const Dual& a) {
    using std::exp;
    const T e = exp(a.value_);
    return a.chain(e, e);
  }
  friend Dual log(const Dual& a) {
    using std::log;
    return a.chain(log(a.value_), 1 / a.value_);
  }
  friend Dual sqrt(const Dual& a) {
    using std::sqrt;
    const T root = sqrt(a.value_);
    return a.chain(root, 0.5 / root);
  }
  friend Dual abs(const Dual& a) { return a.value_ < 0 ? -a : a; }
  friend Dual pow(const Dual& a, double exponent) {
    using std::pow;
    if (exponent == 0) return 1.0;
    return a.chain(pow(a.value_, exponent), exponent * pow(a.value_, exponent - 1));
  }

  // functions of two variables
  friend Dual pow(const Dual& a, const Dual& b) {
    using std::log, std::pow;
    const T power = pow(a.value_, b.value_);
    const T byBase = b.value_ == 0 ? T(0.0) : T(b.value_ * pow(a.value_, b.value_ - 1));
    Dual result(power, a.derivative_ * byBase);
    if (b.isConstant()) return result;  // no logarithm, so that the base may be negative
    result.derivative_ += b.derivative_ * T(power * log(a.value_));
    return result;
  }
  friend Dual atan2(const Dual& y, const Dual& x) {
    using std::atan2;
    const T square = y.value_ * y.value_ + x.value_ * x.value_;
    return {atan2(y.value_, x.value_), (y.derivative_ * x.value_ - x.derivative_ * y.value_) / square};
  }
  friend Dual hypot(const Dual& x, const Dual& y) {
    using std::hypot;
    const T length = hypot(x.value_, y.value_);
    return {length, (x.derivative_ * x.value_ + y.derivative_ * y.value_) / length};
  }
  friend bool isfinite(const Dual& a) {
    using std::isfinite;
    bool finite = isfinite(a.value_);
    for (const T& d : a.derivative_) finite = finite && isfinite(d);
    return finite;
  }

 private:
  Dual chain(const T& value, const T& slope) const { return {value, derivative_ * slope}; }

  T value_{0.0};
  Derivative derivative_;
};

/// A number and how it changes along one direction.
using Varied = Dual<1>;

/// The number itself, at any depth of nesting.
inline double value(double a) {
  return a;
}
template <int N, class T>
double value(const Dual<N, T>& a) {
  return value(a.value());
}

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

template <int N, class T>
struct Eigen::NumTraits<polhode::Dual<N, T>> : Eigen::NumTraits<double> {
  using Real = polhode::Dual<N, T>;
  using NonInteger = polhode::Dual<N, T>;
  using Nested = polhode::Dual<N, T>;
  using Literal = polhode::Dual<N, T>;
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
template <int N, class T, class Operation>
struct Eigen::ScalarBinaryOpTraits<double, polhode::Dual<N, T>, Operation> {
  using ReturnType = polhode::Dual<N, T>;
};
template <int N, class T, class Operation>
struct Eigen::ScalarBinaryOpTraits<polhode::Dual<N, T>, double, Operation> {
  using ReturnType = polhode::Dual<N, T>;
};
