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

}  // namespace
}  // namespace polhode::thinning_test
