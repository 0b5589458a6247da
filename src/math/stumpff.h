#pragma once

#include <cmath>

/// Stumpff functions: the coefficients of the rotation maps, analytic in the squared angle x = a^2.
///
///     c_m(x) = sum_k (-x)^k / (2k + m)!,      c_m(x) + x c_(m+2)(x) = 1/m!
///
///     c_0 = cos(a),   c_1 = sin(a)/a,   c_2 = (1 - cos(a))/a^2,   c_3 = (a - sin(a))/a^3
///
/// The closed form of c_3 cancels for small angles, and a = sqrt(x) has no derivative at zero. So below x = 1
/// the series is summed, above it the closed forms are used: values and derivatives are right to a few
/// roundings of double precision for all angles, zero included.
///
/// Reference: Stumpff 1959, Himmelsmechanik, volume 1.
namespace polhode {

namespace detail {

/// The series of c_m, nested: c_m = 1/m! (1 - x/((m+1)(m+2)) (1 - x/((m+3)(m+4)) (...))). Nine factors leave
/// less than 1e-17 for x < 1.
template <int m, class T>
T stumpffSeries(const T& x) {
  T sum(1);
  for (int k = 9; k >= 1; --k) sum = T(1) - x * T(1.0 / ((m + 2 * k - 1) * (m + 2 * k))) * sum;
  constexpr double factorials[] = {1, 1, 2, 6};
  return sum * T(1 / factorials[m]);
}

}  // namespace detail

/// c_0(a^2) = cos(a).
template <class T>
T stumpff0(const T& x) {
  using std::cos, std::sqrt;
  if (x < T(1)) return detail::stumpffSeries<0>(x);
  return cos(sqrt(x));
}

/// c_1(a^2) = sin(a)/a.
template <class T>
T stumpff1(const T& x) {
  using std::sin, std::sqrt;
  if (x < T(1)) return detail::stumpffSeries<1>(x);
  const T angle = sqrt(x);
  return sin(angle) / angle;
}

/// c_2(a^2) = (1 - cos(a))/a^2, with the half angle so that nothing cancels near a full turn either.
template <class T>
T stumpff2(const T& x) {
  using std::sin, std::sqrt;
  if (x < T(1)) return detail::stumpffSeries<2>(x);
  const T sine = sin(sqrt(x) / T(2));
  return T(2) * sine * sine / x;
}

/// c_3(a^2) = (a - sin(a))/a^3.
template <class T>
T stumpff3(const T& x) {
  using std::sin, std::sqrt;
  if (x < T(1)) return detail::stumpffSeries<3>(x);
  const T angle = sqrt(x);
  return (angle - sin(angle)) / (angle * x);
}

}  // namespace polhode
