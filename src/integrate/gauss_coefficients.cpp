#include "integrate/gauss_coefficients.h"

#include <array>
#include <cmath>
#include <numbers>

namespace polhode {

namespace {

constexpr int mostStages = GaussCoefficients::most;

/// P_0(x) to P_count(x), by their recursion.
template <class Number>
std::array<Number, mostStages + 1> legendre(Number x, int count) {
  std::array<Number, mostStages + 1> p{Number(1), x};
  for (int n = 2; n <= count; ++n) p[n] = ((2 * n - 1) * x * p[n - 1] - (n - 1) * p[n - 2]) / Number(n);
  return p;
}

/// (1) at x = 2 theta - 1, for stage j.
template <class Number>
Number contribution(Number x, const std::array<Number, mostStages + 1>& at, Number ofStage, int stages) {
  const auto p = legendre(ofStage, stages);
  Number sum = 1 + x;
  for (int n = 1; n < stages; ++n) sum += p[n] * (at[n + 1] - at[n - 1]);
  return sum / 2;
}

}  // namespace

GaussCoefficients::GaussCoefficients(int stages) : stages_(stages) {
  using Long = long double;
  const int s = stages_;
  std::array<Long, mostStages> x{};
  for (int i = 0; i < s; ++i) {
    // Newton's method from the usual guess, the nodes in rising order
    Long z = -std::cos(std::numbers::pi_v<Long> * (Long(i) + Long(0.75)) / (Long(s) + Long(0.5)));
    Long slope = 0;
    for (int iteration = 0; iteration < 20; ++iteration) {
      const auto p = legendre(z, s);
      slope = Long(s) * (z * p[s] - p[s - 1]) / (z * z - 1);
      z -= p[s] / slope;
    }
    x[i] = z;
    x_[i] = static_cast<double>(z);
    c_[i] = static_cast<double>((1 + z) / 2);
    b_[i] = static_cast<double>(1 / ((1 - z * z) * slope * slope));
  }
  m_.setZero();
  for (int i = 0; i < s; ++i) {
    m_(i, i) = 0.5;
    for (int j = 0; j < i; ++j) {
      m_(i, j) = static_cast<double>(contribution(x[i], legendre(x[i], s), x[j], s));
      m_(j, i) = 1.0 - m_(i, j);
    }
  }
  for (int i = s; i < most; ++i) {
    x_[i] = x_[s - 1];
    c_[i] = c_[s - 1];
    b_[i] = b_[s - 1];
    m_.row(i) = m_.row(s - 1);
  }
}

const GaussCoefficients& GaussCoefficients::of(int stages) {
  static const std::array<GaussCoefficients, most - 1> all = {
      GaussCoefficients(2), GaussCoefficients(3), GaussCoefficients(4), GaussCoefficients(5),
      GaussCoefficients(6), GaussCoefficients(7), GaussCoefficients(8)};
  return all[static_cast<std::size_t>(stages - 2)];
}

GaussCoefficients::Weights GaussCoefficients::polynomialAt(double theta) const {
  const double x = 2.0 * theta - 1.0;
  const auto at = legendre(x, stages_);
  Weights weights = Weights::Zero();
  for (int j = 0; j < stages_; ++j) weights[j] = contribution(x, at, x_[j], stages_);
  return weights;
}

GaussCoefficients::Square GaussCoefficients::continuation(double ratio, double begin) const {
  Square continuation = Square::Zero();
  std::array<std::array<double, mostStages + 1>, mostStages> nodes;
  for (int j = 0; j < stages_; ++j) nodes[j] = legendre(x_[j], stages_);
  for (int i = 0; i < most; ++i) {
    const auto at = legendre(2.0 * (begin + ratio * c_[i]) - 1.0, stages_);
    for (int j = 0; j < stages_; ++j) {
      double sum = 0.0;
      for (int n = 0; n < stages_; ++n) sum += (2 * n + 1) * nodes[j][n] * at[n];
      continuation(i, j) = ratio * b_[i] * sum;
    }
  }
  return continuation;
}

GaussCoefficients::Weights GaussCoefficients::lastCoefficient() const {
  Weights weights = Weights::Zero();
  for (int j = 0; j < stages_; ++j) weights[j] = legendre(x_[j], stages_)[stages_ - 1];
  return weights;
}

}  // namespace polhode
