#pragma once

#include "integrate/step_report.h"

#include <array>
#include <span>
#include <vector>

/// Higher order by symmetric composition: sub-steps g_1 h, ..., g_s h of a symmetric second-order scheme,
///
///     Psi_h = Phi_{g_s h} o ... o Phi_{g_1 h},    g_i = g_{s+1-i},    g_1 + ... + g_s = 1
///
///     order 4   5 stages    Suzuki 1990
///     order 6   9 stages    Kahan & Li 1997
///     order 8  17 stages    Kahan & Li 1997
///
/// Some g_i are negative. What Phi conserves for any step, Psi conserves: energy, momentum and constraints
/// stay exact. Psi is symmetric again.
///
/// **The theory asks that Phi_h tends to the identity as h tends to 0.** Schemes that carry velocities along
/// by v1 = 2/h (q1 - q0) - v0 (director-em and all of eml) do not: a part of v that does not belong to the
/// motion changes its sign with every step. Composed as above they stay at order 4, whatever the
/// coefficients. Two steps of equal length do tend to the identity and are symmetric, so for these schemes
/// each stage is Phi_{g_i h/2} o Phi_{g_i h/2}, and the order is what it should be.
///
/// Reference: Hairer, Lubich & Wanner 2006, Geometric Numerical Integration, II.4 and V.3.2; Kahan & Li 1997.
namespace polhode {

/// The first (s + 1)/2 coefficients; the others mirror them.
template <int Order>
struct CompositionCoefficients;

template <>
struct CompositionCoefficients<4> {
  static constexpr std::array half{0.41449077179437573714, 0.41449077179437573714, -0.65796308717750294857};
};

template <>
struct CompositionCoefficients<6> {
  static constexpr std::array half{0.39216144400731413928, 0.33259913678935943860, -0.70624617255763935981,
                                   0.08221359629355080023, 0.79854399093482996340};
};

template <>
struct CompositionCoefficients<8> {
  static constexpr std::array half{0.13020248308889008088, 0.56116298177510838456,  -0.38947496264484728641,
                                   0.15884190655515560090, -0.39590389413323757734, 0.18453964097831570709,
                                   0.25837438768632204729, 0.29501172360931029887,  -0.60550853383003451168};
};

/// All s coefficients.
template <int Order>
constexpr auto compositionCoefficients() {
  constexpr auto half = CompositionCoefficients<Order>::half;
  std::array<double, 2 * half.size() - 1> all{};
  for (std::size_t i = 0; i < half.size(); ++i) all[i] = all[all.size() - 1 - i] = half[i];
  return all;
}

/// The sub-steps of a step of length one: each stage at once, or as two halves.
template <int Order, bool nearIdentity>
constexpr auto compositionSubSteps() {
  constexpr auto coefficients = compositionCoefficients<Order>();
  constexpr std::size_t perStage = nearIdentity ? 1 : 2;
  std::array<double, perStage * coefficients.size()> all{};
  for (std::size_t i = 0; i < all.size(); ++i) all[i] = coefficients[i / perStage] / perStage;
  return all;
}

/// The same by the order of the composition, known at run time: 2 (the scheme itself), 4, 6 or 8. Throws
/// InputError for others.
std::vector<double> subStepsOf(int order, bool nearIdentity);

/// One step h in sub-steps: `advance(length, part)` does one. Ends with the first that fails.
template <class Advance>
StepReport composedStep(std::span<const double> subSteps, double h, Advance&& advance) {
  StepReport report{true, 0, 0.0};
  int part = 0;
  for (const double subStep : subSteps) {
    report += advance(subStep * h, part++);
    if (!report.converged) break;
  }
  return report;
}

}  // namespace polhode
