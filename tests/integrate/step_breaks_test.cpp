#include "integrate/step_breaks.h"

#include <gtest/gtest.h>

namespace polhode::step_breaks_test {
namespace {

TEST(StepBreaks, TheNextOneIsBehindTheMarginAndBeforeTheEnd) {
  const StepBreaks breaks{.times = {1, 2, 3}};
  EXPECT_EQ(breaks.next(0, 1e-9, 10), 1);
  EXPECT_EQ(breaks.next(1, 1e-9, 10), 2);
  EXPECT_EQ(breaks.next(1 - 1e-10, 1e-9, 10), 2);
  EXPECT_EQ(breaks.next(1, 1e-9, 1.5), 1.5);
  EXPECT_EQ(breaks.next(1, 1e-9, 2 + 1e-10), 2 + 1e-10);
  EXPECT_EQ(breaks.next(3, 1e-9, 10), 10);
  EXPECT_TRUE(breaks.at(2 + 1e-10, 1e-9));
  EXPECT_FALSE(breaks.at(2 + 1e-8, 1e-9));
}

TEST(StepBreaks, AStepIsDividedAndTheGridGoesOnBehind) {
  StepGrid grid(0.1, 0.55, {.times = {0.13, 0.2, 0.25}});
  EXPECT_EQ(grid.from(0.0).length, 0.1);
  std::vector<double> ends;
  for (double time = 0.0; time < 0.55;) {
    const StepGrid::Step step = grid.from(time);
    EXPECT_NEAR(step.length, step.end - time, 1e-15);
    grid.take(step);
    ends.push_back(time = step.end);
  }
  EXPECT_EQ(ends, (std::vector<double>{0.1, 0.13, 2 * 0.1, 0.25, 3 * 0.1, 4 * 0.1, 5 * 0.1, 0.55}));
  EXPECT_TRUE(grid.breaksAt(0.13));
  EXPECT_FALSE(grid.breaksAt(0.1));
}

}  // namespace
}  // namespace polhode::step_breaks_test
