#include "math/crew.h"

#include <cmath>
#include <numeric>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

namespace polhode::crew_test {
namespace {

/// Each piece of each round once, and nothing of a round after it has returned.
TEST(Crew, DoesEachPieceOnceInEveryRound) {
  for (const int threads : {1, 2, 3, 8}) {
    Crew crew(threads);
    EXPECT_EQ(crew.threads(), threads);
    std::vector<int> done(37, 0);
    for (int round = 1; round <= 2000; ++round) {
      const std::size_t count = static_cast<std::size_t>(round) % (done.size() + 1);
      std::fill(done.begin(), done.end(), 0);
      crew.each(count, [&](std::size_t piece) { ++done[piece]; });
      for (std::size_t piece = 0; piece < done.size(); ++piece) ASSERT_EQ(done[piece], piece < count ? 1 : 0);
    }
  }
}

/// What one round has computed the next one sees, whoever computes it.
TEST(Crew, HandsOverFromRoundToRound) {
  Crew crew(3);
  std::vector<long> numbers(64), sums(numbers.size());
  std::iota(numbers.begin(), numbers.end(), 0L);
  for (int round = 0; round < 500; ++round) {
    crew.each(numbers.size(), [&](std::size_t i) { sums[i] = numbers[i] + numbers[(i + 17) % numbers.size()]; });
    crew.each(numbers.size(), [&](std::size_t i) { numbers[i] = sums[i] % 1009; });
  }
  std::vector<long> alone(numbers.size());
  std::iota(alone.begin(), alone.end(), 0L);
  for (int round = 0; round < 500; ++round) {
    std::vector<long> next(alone.size());
    for (std::size_t i = 0; i < alone.size(); ++i) next[i] = (alone[i] + alone[(i + 17) % alone.size()]) % 1009;
    alone = next;
  }
  EXPECT_EQ(numbers, alone);
}

/// Others have fallen asleep when there has been nothing to do for a while.
TEST(Crew, WakesUpAfterAPause) {
  Crew crew(4);
  int total = 0;
  for (int round = 0; round < 5; ++round) {
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    std::vector<int> done(16, 0);
    crew.each(done.size(), [&](std::size_t piece) { done[piece] = 1; });
    total += std::accumulate(done.begin(), done.end(), 0);
  }
  EXPECT_EQ(total, 80);
}

}  // namespace
}  // namespace polhode::crew_test
