#pragma once

#include "integrate/extrapolation.h"

#include <array>

/// Dense output for the extrapolated linearly implicit Euler method, from values that the step has computed anyway.
///
/// A row of n substeps reaches y_i at substep i. The backward differences at the end of the step (i = n) and, in
/// rows with even n, in its middle (i = n/2),
///
///     a_0 = y_i,   a_k = n^k/k! nabla^k y_i,   nabla y_i = y_i - y_{i-1},   k < i                       (1)
///
/// expand in powers of 1/n about the Taylor coefficients H^k y^(k)/k!, so that they can be extrapolated like the
/// solution itself. (k < i rather than k <= i leaves out the first substep, which is not smooth if f is stiff.) With
/// R rows the polynomial in s = (t - t_0)/H that has the values and derivatives
///
///     P(0) = y_0;   P(1/2), ..., P^(K)(1/2);   P(1), ..., P^(K)(1),   K = max(0, R/2 - 1)               (2)
///
/// has order R - 2, and 1 for R < 4, where f is not stiff. It is continuous over steps, and uses no slopes of stiff
/// components, which amplify errors of the state.
///
/// Reference: Hairer & Ostermann 1990, Dense output for extrapolation methods, Numer. Math. 58, sections 3 and 4, where
/// all conditions but the first are set at the end; the middle makes the error smaller. Hairer & Wanner, Solving
/// Ordinary Differential Equations II, section VI.4 (smoothness of the first substeps).
namespace polhode {

template <class State>
class EulerInterpolant {
 public:
  static constexpr int mostRows = ExtrapolationRules::mostRows;
  using RowNumbers = std::array<int, mostRows + 1>;

  explicit EulerInterpolant(const State& like);

  /// Substep i = 1..n of row `row` went from y_{i-1} to y_{i-1} + increment.
  void keep(int row, int n, int i, const State& yBefore, const State& increment);

  /// Forms P from the given number of rows with n_j substeps and the values at both ends.
  void build(int rows, const RowNumbers& substeps, const State& y0, const State& y1);

  void evaluate(double s, State& y) const;

  /// What it holds of the last step (archive.h).
  template <class Archive>
  void persist(Archive& archive) {
    archive(increments_, middles_, newton_, derivatives_);
  }

 private:
  enum Place { middle, end };
  static constexpr int mostKept = mostRows / 2 - 1;  // the largest K

  const State& taylorCoefficient(Place place, int k, int rows, const RowNumbers& substeps);
  double node(int i) const { return i == 0 ? 0.0 : i <= derivatives_ + 1 ? 0.5 : 1.0; }

  std::array<std::array<State, mostKept>, mostRows + 1> increments_[2];  // by place and row, the latest first
  std::array<State, mostRows + 1> middles_;
  std::array<State, mostRows + 1> column_;
  State middleCoefficient_, endCoefficient_;
  std::array<State, 2 * mostKept + 3> newton_;  // coefficients of P in Newton's form
  int derivatives_ = 0;                         // K
};

template <class State>
EulerInterpolant<State>::EulerInterpolant(const State& like) : middleCoefficient_(like), endCoefficient_(like) {
  for (auto& rows : increments_)
    for (auto& row : rows) row.fill(like);
  middles_.fill(like);
  column_.fill(like);
  newton_.fill(like);
}

template <class State>
void EulerInterpolant<State>::keep(int row, int n, int i, const State& yBefore, const State& increment) {
  if (n - i < mostKept) increments_[end][row][n - i] = increment;
  if (n % 2 != 0 || 2 * i > n) return;
  if (n / 2 - i < mostKept) increments_[middle][row][n / 2 - i] = increment;
  if (2 * i == n) middles_[row] = yBefore + increment;
}

/// Divided differences of (2) for the nodes 0, 1/2 (K + 1 times) and 1 (K + 1 times); a difference of order k over
/// equal nodes is the Taylor coefficient a_k.
template <class State>
void EulerInterpolant<State>::build(int rows, const RowNumbers& substeps, const State& y0, const State& y1) {
  derivatives_ = std::max(0, rows / 2 - 1);
  const int degree = 2 * derivatives_ + 2;

  const State& yMiddle = taylorCoefficient(middle, 0, rows, substeps);
  for (int i = 0; i <= degree; ++i) newton_[i] = node(i) == 0.0 ? y0 : node(i) == 0.5 ? yMiddle : y1;

  for (int k = 1; k <= degree; ++k) {
    if (k <= derivatives_) {
      middleCoefficient_ = taylorCoefficient(middle, k, rows, substeps);
      endCoefficient_ = taylorCoefficient(end, k, rows, substeps);
    }
    for (int i = degree; i >= k; --i) {
      const double distance = node(i) - node(i - k);
      if (distance == 0.0)
        newton_[i] = node(i) == 0.5 ? middleCoefficient_ : endCoefficient_;
      else
        newton_[i] = (newton_[i] - newton_[i - 1]) / distance;
    }
  }
}

/// Equation (1), extrapolated from the rows that know it.
template <class State>
const State& EulerInterpolant<State>::taylorCoefficient(Place place, int k, int rows, const RowNumbers& substeps) {
  RowNumbers used{};
  int count = 0;
  for (int row = 1; row <= rows; ++row) {
    const int n = substeps[row];
    if (place == middle ? n % 2 != 0 || n / 2 <= k : n <= k) continue;

    State& a = column_[count];
    if (k == 0) {
      a = middles_[row];
    } else {
      // nabla^k y_i = sum_l (-1)^l binomial(k-1, l) nabla y_{i-l}
      double weight = 1.0;
      for (int l = 1; l <= k; ++l) weight *= static_cast<double>(n) / l;
      a.setZero();
      for (int l = 0; l < k; ++l) {
        a += weight * increments_[place][row][l];
        weight *= -static_cast<double>(k - 1 - l) / (l + 1);
      }
    }
    used[count] = n;
    extrapolate(column_, used, 0, count, 1);
    ++count;
  }
  return column_[0];
}

template <class State>
void EulerInterpolant<State>::evaluate(double s, State& y) const {
  const int degree = 2 * derivatives_ + 2;
  y = newton_[degree];
  for (int i = degree - 1; i >= 0; --i) y = newton_[i] + (s - node(i)) * y;
}

}  // namespace polhode
