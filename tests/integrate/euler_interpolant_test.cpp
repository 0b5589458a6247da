#include "integrate/euler_interpolant.h"

#include "integrate/seulex.h"

#include <cmath>

#include <gtest/gtest.h>

namespace polhode::euler_interpolant_test {
namespace {

using State = Vector<double, 2>;
constexpr ExtrapolationRules rules = seulexRules();

/// The largest error over one step of y'' = -y, with exact end values and the given number of rows.
double interpolationError(double H, int rows) {
  const double t0 = 0.3;
  const auto solution = [](double t) { return State(std::cos(t), -std::sin(t)); };
  Eigen::Matrix2d J;
  J << 0.0, 1.0, -1.0, 0.0;

  EulerInterpolant<State> interpolant(State::Zero());
  for (int row = 1; row <= rows; ++row) {
    const int n = rules.substeps[row];
    const double h = H / n;
    State y = solution(t0);
    for (int i = 1; i <= n; ++i) {
      const State increment = (Eigen::Matrix2d::Identity() / h - J).inverse() * (J * y);
      interpolant.keep(row, n, i, y, increment);
      y += increment;
    }
  }
  interpolant.build(rows, rules.substeps, solution(t0), solution(t0 + H));

  double error = 0.0;
  State y;
  for (double s = 0.05; s < 1.0; s += 0.1) {
    interpolant.evaluate(s, y);
    error = std::max(error, (y - solution(t0 + s * H)).norm());
  }
  return error;
}

// The local error of R >= 4 rows is O(H^(R-1)), and here, as f is linear, even smaller. More rows are soon below
// round-off.
TEST(EulerInterpolant, HasTheOrderOfTheRowsLessTwo) {
  for (const int rows : {4, 5, 6, 7}) {
    const double order = std::log2(interpolationError(0.2, rows) / interpolationError(0.1, rows));
    EXPECT_GT(order, rows - 1 - 0.2) << rows << " rows";
  }
}

TEST(EulerInterpolant, WorksWithTwoRows) {
  const double order = std::log2(interpolationError(0.2, 2) / interpolationError(0.1, 2));
  EXPECT_GT(order, 1.8);
}

TEST(EulerInterpolant, GainsDigitsWithMoreRows) {
  for (const int rows : {4, 6, 8, 10})
    EXPECT_LT(interpolationError(1.0, rows), 0.2 * interpolationError(1.0, rows - 2)) << rows << " rows";
}

}  // namespace
}  // namespace polhode::euler_interpolant_test
