#include "model/smooth_table.h"

#include "polhode/error.h"

#include <cmath>

#include <gtest/gtest.h>

namespace polhode::smooth_table_test {
namespace {

TEST(SmoothTable, MeetsASmoothMotionWithItsAcceleration) {
  double before = 0.0;
  for (const int count : {40, 80}) {
    std::vector<double> times, values, rates;
    for (int i = 0; i <= count; ++i) {
      times.push_back(4.0 * i / count + 0.3 / count * std::sin(i));  // uneven
      values.push_back(std::sin(3.0 * times.back()));
      rates.push_back(3.0 * std::cos(3.0 * times.back()));
    }
    const Signal signal = smoothTable(times, values), withRates = smoothTable(times, values, rates);
    double worst = 0.0;
    for (double t = times.front(); t <= times.back(); t += 0.013) {
      EXPECT_NEAR(signal.value(t), std::sin(3.0 * t), 1e-6);
      EXPECT_NEAR(withRates.rate(t), 3.0 * std::cos(3.0 * t), 1e-4);
      worst = std::max(worst, std::abs(withRates.acceleration(t) + 9.0 * std::sin(3.0 * t)));
    }
    for (std::size_t i = 5; i + 5 < times.size(); ++i) {
      EXPECT_NEAR(signal.acceleration(times[i]), -9.0 * values[i], 2e-7);
      EXPECT_NEAR(withRates.acceleration(times[i]), -9.0 * values[i], 1e-9);
    }
    if (before > 0.0) {
      EXPECT_NEAR(std::log2(before / worst), 4.0, 0.5);
    }
    before = worst;
  }
}

TEST(SmoothTable, HoldsItsEndsAndRefusesWhatIsNone) {
  const Signal line = smoothTable({1.0, 2.0}, {3.0, 5.0});
  EXPECT_DOUBLE_EQ(line.value(1.5), 4.0);
  EXPECT_DOUBLE_EQ(line.rate(1.5), 2.0);
  EXPECT_EQ(line.value(0.0), 3.0);
  EXPECT_EQ(line.value(9.0), 5.0);
  EXPECT_EQ(line.rate(9.0), 0.0);
  EXPECT_THROW(smoothTable({1.0}, {3.0}), InputError);
  EXPECT_THROW(smoothTable({1.0, 1.0}, {3.0, 4.0}), InputError);
  EXPECT_THROW(smoothTable({1.0, 2.0}, {3.0, NAN}), InputError);
}

}  // namespace
}  // namespace polhode::smooth_table_test
