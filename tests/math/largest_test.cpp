#include "math/largest.h"

#include "polhode/math/types.h"

#include <gtest/gtest.h>

namespace polhode::largest_test {
namespace {

TEST(Largest, OfNumbers) {
  EXPECT_EQ(largestOrNaN(1.0, 2.0), 2.0);
  EXPECT_EQ(largestOrNaN(2.0, 1.0), 2.0);
  EXPECT_EQ(largestOrNaN({1.0, 3.0, 2.0}), 3.0);
  EXPECT_EQ(largestSizeOrNaN(Vector3(1.0, -3.0, 2.0)), 3.0);
  EXPECT_EQ(largestSizeOrNaN(VectorX()), 0.0);
}

TEST(Largest, LosesNoNumberThatIsNone) {
  const double none = std::nan("");
  EXPECT_TRUE(std::isnan(largestOrNaN(1.0, none)));
  EXPECT_TRUE(std::isnan(largestOrNaN(none, 1.0)));
  EXPECT_TRUE(std::isnan(largestOrNaN({1.0, none, 2.0})));
  for (int i = 0; i < 5; ++i) {
    VectorX v = VectorX::LinSpaced(5, 1.0, 5.0);
    v[i] = none;
    EXPECT_TRUE(std::isnan(largestSizeOrNaN(v))) << i;
  }
}

}  // namespace
}  // namespace polhode::largest_test
