#pragma once

#include "polhode/math/types.h"

#include <cmath>

/// Discrete differentiation: the discrete gradient of any expression, by the chain rule.
///
/// A `DiscreteDual` carries the values of an expression f at both ends x0 and x1 of a step and a discrete
/// gradient grad f(x0, x1) with
///
///     grad f . (x1 - x0) = f(x1) - f(x0)          directionality, exact
///     grad f(x0, x1) = grad f(x1, x0)             symmetry
///     grad f -> f'(x) as x0, x1 -> x              consistency
///
/// (Gonzalez 1996, definition 3.1). Each operation keeps these by its own difference quotient:
///
///     a b       mean(b) grad a + mean(a) grad b
///     1/a       -grad a / (a0 a1)
///     sqrt a    grad a / (sqrt a0 + sqrt a1)
///     sin a     cos(mean a) sinc(half a) grad a,    half a = (a1 - a0)/2
///     exp a     exp(mean a) sinhc(half a) grad a
///     log a     log1p((a1 - a0)/a0)/(a1 - a0) grad a
///
/// Nothing is divided by |x1 - x0|^2, so nothing is lost for a small step. A quadratic form gets its gradient
/// at the mean point, a function s(Q) of a quadratic form the quotient (s1 - s0)/(Q1 - Q0) times that. A
/// coordinate which f does not depend on gets exactly zero: its momentum is conserved.
///
/// Seeded with gradient = x1 - x0 instead of the identity (N = 1), the gradient of the result is the
/// increment f(x1) - f(x0) itself, without the cancellation of the subtraction.
namespace polhode {

template <int N, class T = double>
struct DiscreteDual {
  T start{0.0};
  T end{0.0};
  Vector<T, N> gradient = Vector<T, N>::Zero();

  DiscreteDual() = default;
  DiscreteDual(double constant) : start(constant), end(constant) {}  // NOLINT: numbers are constants
  DiscreteDual(T atStart, T atEnd, Vector<T, N> slope)
      : start(std::move(atStart)), end(std::move(atEnd)), gradient(std::move(slope)) {}

  T mean() const { return 0.5 * (start + end); }

  DiscreteDual operator-() const { return {-start, -end, -gradient}; }
  DiscreteDual& operator+=(const DiscreteDual& b) { return *this = *this + b; }
  DiscreteDual& operator-=(const DiscreteDual& b) { return *this = *this - b; }
  DiscreteDual& operator*=(const DiscreteDual& b) { return *this = *this * b; }
  DiscreteDual& operator/=(const DiscreteDual& b) { return *this = *this / b; }

  friend DiscreteDual operator+(const DiscreteDual& a, const DiscreteDual& b) {
    return {a.start + b.start, a.end + b.end, a.gradient + b.gradient};
  }
  friend DiscreteDual operator-(const DiscreteDual& a, const DiscreteDual& b) {
    return {a.start - b.start, a.end - b.end, a.gradient - b.gradient};
  }
  friend DiscreteDual operator*(const DiscreteDual& a, const DiscreteDual& b) {
    return {a.start * b.start, a.end * b.end, a.gradient * b.mean() + b.gradient * a.mean()};
  }
  friend DiscreteDual operator/(const DiscreteDual& a, const DiscreteDual& b) { return a * reciprocal(b); }

  friend DiscreteDual reciprocal(const DiscreteDual& a) {
    const T slope = -1.0 / (a.start * a.end);
    return {1.0 / a.start, 1.0 / a.end, a.gradient * slope};
  }
};

namespace discrete {

/// sin(x)/x and sinh(x)/x; by their series where the quotient would lose digits (next term below 1e-18).
template <class T>
T sinc(const T& x) {
  using std::sin;
  const T y = x * x;
  if (y < 1e-4) return 1.0 - y / 6.0 * (1.0 - y / 20.0 * (1.0 - y / 42.0 * (1.0 - y / 72.0)));
  return sin(x) / x;
}
template <class T>
T sinhc(const T& x) {
  using std::exp;
  const T y = x * x;
  if (y < 1e-4) return 1.0 + y / 6.0 * (1.0 + y / 20.0 * (1.0 + y / 42.0 * (1.0 + y / 72.0)));
  return (exp(x) - exp(-x)) / (2.0 * x);
}

/// log(b/a)/(b - a) for positive a, b, through the area hyperbolic tangent of z = (b - a)/(b + a).
template <class T>
T logarithmicQuotient(const T& a, const T& b) {
  using std::log;
  const T z = (b - a) / (b + a), y = z * z;
  const T mean = 0.5 * (a + b);
  if (y < 1e-4) return (1.0 + y * (1.0 / 3 + y * (1.0 / 5 + y * (1.0 / 7 + y * (1.0 / 9))))) / mean;
  return log(b / a) / (b - a);
}

}  // namespace discrete

template <int N, class T>
DiscreteDual<N, T> sin(const DiscreteDual<N, T>& a) {
  using std::cos;
  using std::sin;
  const T slope = cos(a.mean()) * discrete::sinc(T(0.5 * (a.end - a.start)));
  return {sin(a.start), sin(a.end), a.gradient * slope};
}

template <int N, class T>
DiscreteDual<N, T> cos(const DiscreteDual<N, T>& a) {
  using std::cos;
  using std::sin;
  const T slope = -sin(a.mean()) * discrete::sinc(T(0.5 * (a.end - a.start)));
  return {cos(a.start), cos(a.end), a.gradient * slope};
}

template <int N, class T>
DiscreteDual<N, T> tan(const DiscreteDual<N, T>& a) {
  return sin(a) / cos(a);
}

template <int N, class T>
DiscreteDual<N, T> exp(const DiscreteDual<N, T>& a) {
  using std::exp;
  const T slope = exp(a.mean()) * discrete::sinhc(T(0.5 * (a.end - a.start)));
  return {exp(a.start), exp(a.end), a.gradient * slope};
}

/// The logarithm of a positive expression.
template <int N, class T>
DiscreteDual<N, T> log(const DiscreteDual<N, T>& a) {
  using std::log;
  return {log(a.start), log(a.end), a.gradient * discrete::logarithmicQuotient(a.start, a.end)};
}

/// The square root of a positive expression.
template <int N, class T>
DiscreteDual<N, T> sqrt(const DiscreteDual<N, T>& a) {
  using std::sqrt;
  const T root0 = sqrt(a.start), root1 = sqrt(a.end);
  return {root0, root1, a.gradient * T(1.0 / (root0 + root1))};
}

/// An integer power of any expression: with even powers through the square, so that it stays symmetric.
template <int N, class T>
DiscreteDual<N, T> pow(const DiscreteDual<N, T>& a, int exponent) {
  if (exponent < 0) return reciprocal(pow(a, -exponent));
  if (exponent == 0) return DiscreteDual<N, T>(1.0);
  const DiscreteDual<N, T> half = pow(a, exponent / 2);
  return exponent % 2 == 0 ? half * half : half * half * a;
}

/// Any power of a positive expression.
template <int N, class T>
DiscreteDual<N, T> pow(const DiscreteDual<N, T>& a, double exponent) {
  return exp(DiscreteDual<N, T>(exponent) * log(a));
}

}  // namespace polhode

namespace Eigen {

/// Lets Eigen's matrices hold discrete duals.
template <int N, class T>
struct NumTraits<polhode::DiscreteDual<N, T>> : GenericNumTraits<double> {
  using Real = polhode::DiscreteDual<N, T>;
  using NonInteger = polhode::DiscreteDual<N, T>;
  using Nested = polhode::DiscreteDual<N, T>;
  using Literal = double;
  enum {
    IsComplex = 0,
    IsInteger = 0,
    IsSigned = 1,
    RequireInitialization = 1,
    ReadCost = 2 + N,
    AddCost = 2 + N,
    MulCost = 2 + 3 * N
  };
};

}  // namespace Eigen
