#pragma once

#include "integrate/extrapolation.h"

#include <array>
#include <cmath>

/// Dense output for the extrapolated midpoint rule, mostly from slopes that the step has computed anyway.
///
/// A row of n substeps of size h = H/n passes the middle of the step at substep m = n/2 and knows the slopes
/// f_0, ..., f_n. In rows with odd m, that is n = 2, 6, 10, ..., the value y_m and the central differences
///
///     D_0 = y_m,   D_k = H m^(k-1) delta^(k-1) f_m,   delta f_i = f_{i+1} - f_{i-1},   k = 1..m+1       (1)
///
/// expand in powers of h^2 about y and H^k y^(k) in the middle of the step, so that they can be extrapolated
/// like the solution at its end. With R rows the polynomial in s = (t - t_0)/H - 1/2
///
///     P(s) = C(s) + (1/4 - s^2)^2 (c_0 + c_1 s + ... + c_mu s^mu),   mu = max(0, 2R - 4)                (2)
///
/// has order 2R - 1 (local error O(H^2R), that of D_0). C is the cubic with the values and slopes of both ends; the
/// c_k follow from P^(k)(0) = D_k. P is continuously differentiable over steps.
///
/// Reference: Hairer & Ostermann 1990, Dense output for extrapolation methods, Numer. Math. 58; Hairer, Norsett &
/// Wanner, Solving Ordinary Differential Equations I, section II.9.
namespace polhode {

template <class State>
class MidpointInterpolant {
 public:
  static constexpr int mostRows = 8;
  static constexpr std::array<int, mostRows + 1> substeps = {0, 2, 6, 10, 14, 18, 22, 26, 30};

  explicit MidpointInterpolant(const State& like);

  /// Where row `row` of the step is to leave f_1, ..., f_n, and y_m.
  State* slopes(int row) { return &slopes_[2 * (row - 1) * (row - 1)]; }
  State& middle(int row) { return middles_[row]; }

  /// Forms (2) from the given number of rows and the values and slopes of both ends.
  void build(int rows, double H, const State& y0, const State& f0, const State& y1, const State& f1);

  /// What the last row has changed in the middle of the step: an estimate of the error without that row.
  const State& lastChange() const { return lastChange_; }

  void evaluate(double s, State& y) const;

  /// What it holds of the last step (archive.h).
  template <class Archive>
  void persist(Archive& archive) {
    archive(slopes_, middles_, cubic_, factor_, degree_, lastChange_);
  }

 private:
  const State& middleDerivative(int k, int rows, double H, const State& f0);
  void differenceOfSlopes(int k, int row, const State& f0, State& difference);

  static constexpr int mostFactors = 2 * mostRows - 3;

  std::array<State, 2 * mostRows * mostRows> slopes_;
  std::array<State, mostRows + 1> middles_;
  std::array<State, mostRows + 1> column_;
  std::array<State, 4> cubic_;             // Taylor coefficients of C about s = 0
  std::array<State, mostFactors> factor_;  // c_k
  int degree_ = 0;                         // mu
  State lastChange_;
};

template <class State>
MidpointInterpolant<State>::MidpointInterpolant(const State& like) : lastChange_(like) {
  slopes_.fill(like);
  middles_.fill(like);
  column_.fill(like);
  cubic_.fill(like);
  factor_.fill(like);
}

template <class State>
void MidpointInterpolant<State>::build(int rows, double H, const State& y0, const State& f0, const State& y1,
                                       const State& f1) {
  cubic_[0] = 0.5 * (y0 + y1) + H / 8.0 * (f0 - f1);
  cubic_[1] = 1.5 * (y1 - y0) - H / 4.0 * (f0 + f1);
  cubic_[2] = H / 2.0 * (f1 - f0);
  cubic_[3] = H * (f0 + f1) - 2.0 * (y1 - y0);

  // coefficient k of (1/4 - s^2)^2 = 1/16 - s^2/2 + s^4 times the sum in (2) is D_k/k! less that of C
  degree_ = std::max(0, 2 * rows - 4);
  double factorial = 1.0;
  for (int k = 0; k <= degree_; ++k) {
    if (k > 1) factorial *= k;
    State& c = factor_[k];
    c = middleDerivative(k, rows, H, f0) / factorial;
    if (k == 0) lastChange_ = column_[1] - column_[std::min(rows, 2)];
    if (k < 4) c -= cubic_[k];
    if (k >= 2) c += 0.5 * factor_[k - 2];
    if (k >= 4) c -= factor_[k - 4];
    c *= 16.0;
  }
}

/// D_k, extrapolated from the rows with m + 1 >= k.
template <class State>
const State& MidpointInterpolant<State>::middleDerivative(int k, int rows, double H, const State& f0) {
  const int first = std::max(1, (k + 1) / 2);
  for (int row = first; row <= rows; ++row) {
    if (k == 0) {
      column_[row] = middles_[row];
    } else {
      differenceOfSlopes(k - 1, row, f0, column_[row]);
      column_[row] *= H * std::pow(substeps[row] / 2, k - 1);
    }
    extrapolate(column_, substeps, first, row, 2);
  }
  return column_[first];
}

/// delta^k f_m = sum_i (-1)^i binomial(k, i) f_{m+k-2i}.
template <class State>
void MidpointInterpolant<State>::differenceOfSlopes(int k, int row, const State& f0, State& difference) {
  const State* f = slopes(row) - 1;
  double weight = 1.0;
  difference.setZero();
  for (int i = 0; i <= k; ++i) {
    const int at = substeps[row] / 2 + k - 2 * i;
    difference += weight * (at == 0 ? f0 : f[at]);
    weight *= -static_cast<double>(k - i) / (i + 1);
  }
}

template <class State>
void MidpointInterpolant<State>::evaluate(double s, State& y) const {
  const double bump = (0.25 - s * s) * (0.25 - s * s);
  y = factor_[degree_];
  for (int k = degree_ - 1; k >= 0; --k) y = factor_[k] + s * y;
  y = cubic_[0] + s * (cubic_[1] + s * (cubic_[2] + s * cubic_[3])) + bump * y;
}

}  // namespace polhode
