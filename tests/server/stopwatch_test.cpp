#include "server/stopwatch.h"

#include <gtest/gtest.h>

namespace polhode::live::stopwatch_test {
namespace {

TEST(LivePacer, FollowsTheClockAtItsSpeed) {
  Pacer pacer(10.0);
  EXPECT_NEAR(pacer.due(10.01, 0.0, 1.0), 0.01, 1e-12);
  EXPECT_NEAR(pacer.due(10.02, 0.01, 0.5), 0.015, 1e-12);
  EXPECT_NEAR(pacer.due(10.03, 0.015, 2.0), 0.035, 1e-12);
}

TEST(LivePacer, GivesUpWhatCannotBeCaughtUpWith) {
  Pacer pacer(0.0);
  // the simulation stands still for ten seconds: a tenth of a second is due, not ten
  for (int i = 1; i <= 100; ++i) EXPECT_LE(pacer.due(0.1 * i, 0.0, 1.0), 0.1 + 1e-12);
  pacer.restart(20.0, 5.0);
  EXPECT_NEAR(pacer.due(20.01, 5.0, 1.0), 5.01, 1e-12);
}

TEST(LiveStopwatch, ReportsFactorLoadAndMeanStep) {
  Stopwatch watch;
  watch.look({0.0, 0.0, 7.0}, true);
  for (int i = 1; i <= 50; ++i) watch.step(0.01 * i, 0.002);
  watch.look({0.5, 0.25, 7.1}, true);
  const Timing timing = watch.timing(0.5);
  EXPECT_NEAR(timing.realTimeFactor, 0.5, 1e-12);
  EXPECT_NEAR(timing.load, 0.2, 1e-12);
  EXPECT_NEAR(timing.meanStep, 0.002, 1e-12);
  EXPECT_EQ(timing.worstStep, 0.002);
  watch.look({1.0, 0.25, 7.1}, false);
  EXPECT_EQ(watch.timing(1.0).realTimeFactor, 0.0);
  EXPECT_EQ(watch.timing(1.0).load, 0.0);
}

TEST(LiveStopwatch, BeginsAnewAfterAJumpOfTheSimulatedTime) {
  Stopwatch watch;
  watch.look({0.0, 5.0, 0.0}, true);
  watch.restart();
  watch.look({0.4, 0.0, 0.1}, true);
  watch.look({0.9, 0.5, 0.15}, true);
  EXPECT_NEAR(watch.timing(0.9).realTimeFactor, 1.0, 1e-12);
  EXPECT_NEAR(watch.timing(0.9).load, 0.1, 1e-12);
}

TEST(LiveStopwatch, KnowsTheProcessorTimeOfItsThread) {
  const double start = threadProcessorTime();
  volatile double sum = 0.0;
  while (threadProcessorTime() - start < 0.01) sum = sum + 1.0;
  EXPECT_GT(sum, 0.0);
}

TEST(LiveStopwatch, RemembersTheWorstStepForAMinute) {
  Stopwatch watch;
  watch.step(1000.5, 0.03);
  watch.step(1010.5, 0.01);
  EXPECT_EQ(watch.timing(1011.0).worstStep, 0.03);
  EXPECT_EQ(watch.timing(1059.9).worstStep, 0.03);
  EXPECT_EQ(watch.timing(1061.0).worstStep, 0.01);
  EXPECT_EQ(watch.timing(1075.0).worstStep, 0.0);
  watch.step(1120.0, 0.002);  // takes the place of a second long gone
  EXPECT_EQ(watch.timing(1120.0).worstStep, 0.002);
}

}  // namespace
}  // namespace polhode::live::stopwatch_test
