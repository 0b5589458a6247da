#include "io/thinning.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include <gtest/gtest.h>

namespace polhode::thinning_test {
namespace {

/// x = 1, 2, ..., count and y of it.
template <class Function>
std::pair<std::vector<double>, std::vector<double>> curve(int count, const Function& y) {
  std::pair<std::vector<double>, std::vector<double>> points;
  for (int i = 1; i <= count; ++i) {
    points.first.push_back(i);
    points.second.push_back(y(i));
  }
  return points;
}

bool holds(const std::vector<std::size_t>& kept, std::size_t i) {
  return std::binary_search(kept.begin(), kept.end(), i);
}

TEST(Thinning, LeavesShortCurvesAlone) {
  EXPECT_TRUE(thinned({}, {}, false, 100).empty());
  EXPECT_EQ(thinned({3, 2, 1}, {0, 0, 0}, false, 100), (std::vector<std::size_t>{0, 1, 2}));
}

TEST(Thinning, KeepsEndsExtremesAndGaps) {
  auto [x, y] = curve(10'000, [](int i) { return std::sin(i); });
  y[1234] = 5.0;
  y[4321] = -5.0;
  y[6543] = 1e-30;  // the lowest point of a logarithmic chart
  y[7777] = std::numeric_limits<double>::quiet_NaN();

  const auto kept = thinned(x, y, false, 400);
  EXPECT_LE(kept.size(), 400u);
  for (const std::size_t i : {0u, 1234u, 4321u, 6543u, 7777u, 9999u}) EXPECT_TRUE(holds(kept, i)) << i;
}

TEST(Thinning, CutsALogarithmicAxisIntoEqualParts) {
  const auto [x, y] = curve(100'000, [](int i) { return 1.0 / i; });
  const auto kept = thinned(x, y, true, 400);
  // the first decade of five has nine points, and all are far enough apart to stay
  for (std::size_t i = 0; i < 9; ++i) EXPECT_TRUE(holds(kept, i)) << i;
  EXPECT_LE(kept.size(), 400u);
}

TEST(Thinning, FollowsCurvesThatTurnBack) {
  std::vector<double> x, y;
  for (int i = 0; i < 10'000; ++i) {
    x.push_back(std::cos(1e-2 * i));
    y.push_back(std::sin(1e-2 * i));
  }
  const auto kept = thinned(x, y, false, 1000);
  EXPECT_LE(kept.size(), 1000u);
  // points stay all along the curve, not only where it first passes
  for (std::size_t k = 1; k < kept.size(); ++k) EXPECT_LT(kept[k] - kept[k - 1], 100u);
}

TEST(Thinning, TakesCurvesWithoutWidth) {
  const std::vector<double> x(1000, 2.0);
  const std::vector<double> y(1000, 3.0);
  EXPECT_LE(thinned(x, y, false, 100).size(), 100u);
}

/// The largest distance of a point from the lines between those that are kept.
double largestError(const std::vector<double>& x, const std::vector<double>& y, const std::vector<std::size_t>& kept) {
  double error = 0.0;
  for (std::size_t k = 0; k + 1 < kept.size(); ++k)
    for (std::size_t i = kept[k]; i <= kept[k + 1]; ++i) {
      const double share = (x[i] - x[kept[k]]) / (x[kept[k + 1]] - x[kept[k]]);
      error = std::max(error, std::abs(y[kept[k]] + share * (y[kept[k + 1]] - y[kept[k]]) - y[i]));
    }
  return error;
}

TEST(Thinning, ByErrorKeepsWhatLinesNeed) {
  // three waves, a jump and a peak of one point
  const auto [x, y] =
      curve(3000, [](int i) { return std::sin(6e-3 * i) + (i > 2000 ? 0.5 : 0.0) + (i == 1234 ? 2.0 : 0.0); });
  for (const double tolerance : {1e-1, 1e-2, 1e-3}) {
    const std::vector<std::size_t> kept = thinnedByError(x, y, tolerance);
    EXPECT_LE(largestError(x, y, kept), tolerance * (1.0 + 1e-9));
    EXPECT_TRUE(holds(kept, 0) && holds(kept, 1233) && holds(kept, 2999));
    // a line between two points of a wave is off by (6e-3 n)^2/8, n points apart
    EXPECT_LT(static_cast<double>(kept.size()), 20.0 + 3000.0 * 6e-3 / std::sqrt(4.0 * tolerance));
  }
  const auto [t, straight] = curve(1000, [](int i) { return 3.0 * i; });
  EXPECT_EQ(thinnedByError(t, straight, 1e-9), (std::vector<std::size_t>{0, 999}));
  EXPECT_TRUE(thinnedByError({}, {}, 1.0).empty());
}

TEST(Thinning, ByErrorKeepsGaps) {
  auto [x, y] = curve(100, [](int i) { return 1.0 * i; });
  y[40] = y[41] = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(thinnedByError(x, y, 0.1), (std::vector<std::size_t>{0, 39, 40, 41, 42, 99}));
}

TEST(Thinning, OfAMotionKeepsWhatTheEyeSees) {
  // a body on a circle that turns as it goes, beside one that rests
  std::vector<double> times, places;
  for (int i = 0; i <= 1000; ++i) {
    const double t = 0.01 * i;
    times.push_back(t);
    for (const double number : {std::cos(t), std::sin(t), 0.0, std::cos(0.5 * t), 0.0, 0.0, std::sin(0.5 * t)})
      places.push_back(number);
    for (const double number : {5.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0}) places.push_back(number);
  }
  const std::vector<std::size_t> kept = thinnedMotion(times, places, 1e-3, 4e-3);
  const std::size_t stride = 14;
  for (std::size_t k = 0; k + 1 < kept.size(); ++k)
    for (std::size_t row = kept[k]; row < kept[k + 1]; ++row) {
      const double share = static_cast<double>(row - kept[k]) / static_cast<double>(kept[k + 1] - kept[k]);
      const auto off = [&](std::size_t i) {
        const double from = places[kept[k] * stride + i], to = places[kept[k + 1] * stride + i];
        return from + share * (to - from) - places[row * stride + i];
      };
      EXPECT_LE(std::hypot(off(0), off(1)), 1e-3 * (1.0 + 1e-9)) << row;
    }
  EXPECT_EQ(kept.back(), 1000u);
  EXPECT_LT(kept.size(), 130u);
  EXPECT_GT(kept.size(), 110u);  // chords of 2 acos(1 - 1e-3) = 0.0895 rad
  EXPECT_TRUE(thinnedMotion({}, {}, 1.0, 1.0).empty());
}

}  // namespace
}  // namespace polhode::thinning_test
