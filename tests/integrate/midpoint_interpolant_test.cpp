#include "integrate/midpoint_interpolant.h"

#include <cmath>

#include <gtest/gtest.h>

namespace polhode::midpoint_interpolant_test {
namespace {

using State = Vector<double, 2>;

// A frequency of 1 with the solution (cos t, -sin t).
State slope(const State& y) {
  return {y[1], -y[0]};
}
State solution(double t) {
  return {std::cos(t), -std::sin(t)};
}

/// The largest error over one step from t = 0.3, with exact end values and the given number of rows.
double interpolationError(double H, int rows) {
  const double t0 = 0.3;
  const State y0 = solution(t0), y1 = solution(t0 + H);
  MidpointInterpolant<State> interpolant(y0);
  for (int row = 1; row <= rows; ++row) {
    const int n = interpolant.substeps[row];
    const double h = H / n;
    State older = y0, newer = y0 + h * slope(y0);
    for (int i = 1; i <= n; ++i) {
      interpolant.slopes(row)[i - 1] = slope(newer);
      if (2 * i == n) interpolant.middle(row) = newer;
      older += 2.0 * h * slope(newer);
      older.swap(newer);
    }
  }
  interpolant.build(rows, H, y0, slope(y0), y1, slope(y1));

  double error = 0.0;
  State y;
  for (double s = 0.05; s < 1.0; s += 0.1) {
    interpolant.evaluate(s - 0.5, y);
    error = std::max(error, (y - solution(t0 + s * H)).norm());
  }
  return error;
}

// The local error of R rows is O(H^2R); the steps are large enough to stay clear of round-off.
TEST(MidpointInterpolant, HasLocalErrorsOfTwiceTheRows) {
  for (const int rows : {1, 2, 3, 4}) {
    const double order = std::log2(interpolationError(0.8, rows) / interpolationError(0.4, rows));
    EXPECT_GT(order, 2.0 * rows - 0.2) << rows << " rows";
  }
}

TEST(MidpointInterpolant, GainsDigitsWithEveryRow) {
  for (int rows = 2; rows <= 6; ++rows)
    EXPECT_LT(interpolationError(1.5, rows), 0.1 * interpolationError(1.5, rows - 1)) << rows << " rows";
}

TEST(MidpointInterpolant, PassesThroughBothEnds) {
  const State y0(1.0, 2.0), y1(3.0, -1.0), f(0.5, 0.25);
  MidpointInterpolant<State> interpolant(y0);
  interpolant.build(3, 0.7, y0, f, y1, f);
  State y;
  interpolant.evaluate(-0.5, y);
  EXPECT_LT((y - y0).norm(), 1e-14);
  interpolant.evaluate(0.5, y);
  EXPECT_LT((y - y1).norm(), 1e-14);
}

}  // namespace
}  // namespace polhode::midpoint_interpolant_test
