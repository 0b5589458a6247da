#pragma once

/// Hermite's cubic within a step h, at the fraction s of it: it has the values x and the rates v of both ends.
namespace polhode {

template <class X0, class V0, class X1, class V1>
auto hermite(double h, double s, const X0& x0, const V0& v0, const X1& x1, const V1& v1) {
  const double r = 1.0 - s;
  return r * r * (1.0 + 2.0 * s) * x0 + s * s * (3.0 - 2.0 * s) * x1 + h * s * r * (r * v0 - s * v1);
}

/// Its rate.
template <class X0, class V0, class X1, class V1>
auto hermiteRate(double h, double s, const X0& x0, const V0& v0, const X1& x1, const V1& v1) {
  const double r = 1.0 - s;
  return 6.0 * s * r / h * (x1 - x0) + r * (1.0 - 3.0 * s) * v0 + s * (3.0 * s - 2.0) * v1;
}

}  // namespace polhode
