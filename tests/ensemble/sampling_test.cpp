#include "ensemble/sampling.h"

#include "ensemble/sobol_sequence.h"
#include "polhode/error.h"

#include <cmath>
#include <set>

#include <gtest/gtest.h>

namespace polhode::ensemble::sampling_test {
namespace {

TEST(Sampling, GridHasEveryValueWithEveryOther) {
  const Sampling grid = Sampling::grid({2, 3});
  ASSERT_EQ(grid.size(), 6);
  for (std::int64_t i = 0; i < 6; ++i) {
    EXPECT_EQ(std::floor(grid.share(i, 0) * 2.0), static_cast<double>(i / 3));
    EXPECT_EQ(std::floor(grid.share(i, 1) * 3.0), static_cast<double>(i % 3));
  }
  EXPECT_THROW(Sampling::grid({1000000, 1000000, 1000000}), InputError);
}

/// One member in each n-th of the range, in each dimension, also where n is no power of two.
TEST(Sampling, LatinHypercubeHasOneInEachStratum) {
  for (const std::int64_t n : {1, 2, 7, 64, 1000}) {
    const Sampling latin(SamplingKind::latin, n, 3, 5);
    for (std::size_t d = 0; d < 3; ++d) {
      std::set<double> strata;
      for (std::int64_t i = 0; i < n; ++i) strata.insert(std::floor(latin.share(i, d) * static_cast<double>(n)));
      EXPECT_EQ(strata.size(), static_cast<std::size_t>(n));
      EXPECT_EQ(*strata.begin(), 0.0);
      EXPECT_EQ(*strata.rbegin(), static_cast<double>(n - 1));
    }
  }
  const Sampling latin(SamplingKind::latin, 1000, 2, 5);
  double together = 0.0;
  for (std::int64_t i = 0; i < 1000; ++i) together += (latin.share(i, 0) - 0.5) * (latin.share(i, 1) - 0.5) * 12e-3;
  EXPECT_LT(std::abs(together), 4.0 / std::sqrt(1000.0)) << "dimensions go together, beyond four standard deviations";
}

/// The numbers of the first points as Joe and Kuo print them: 0, 1/2, 3/4, 1/4, 3/8, 7/8, 5/8, 1/8 in the first dimension.
TEST(SobolSequence, BeginsAsItShould) {
  const double first[] = {0, 0.5, 0.75, 0.25, 0.375, 0.875, 0.625, 0.125};
  const double second[] = {0, 0.5, 0.25, 0.75, 0.375, 0.875, 0.125, 0.625};
  const double third[] = {0, 0.5, 0.25, 0.75, 0.625, 0.125, 0.875, 0.375};
  for (std::uint32_t i = 0; i < 8; ++i) {
    EXPECT_EQ(sobolDigits(i, 0) * 0x1p-32, first[i]) << i;
    EXPECT_EQ(sobolDigits(i, 1) * 0x1p-32, second[i]) << i;
    EXPECT_EQ(sobolDigits(i, 2) * 0x1p-32, third[i]) << i;
  }
}

/// Of the first 2^k points every interval of length 2^-k holds one, in each dimension; shifts keep that.
TEST(SobolSequence, FillsEachDimensionEvenly) {
  for (unsigned d = 0; d < mostSobolDimensions; ++d) {
    std::set<std::uint32_t> intervals;
    for (std::uint32_t i = 0; i < 1024; ++i) intervals.insert(sobolDigits(i, d) >> 22);
    EXPECT_EQ(intervals.size(), 1024u) << d;
  }
  const Sampling sobol(SamplingKind::sobol, 256, 4, 3);
  for (std::size_t d = 0; d < 4; ++d) {
    std::set<double> intervals;
    for (std::int64_t i = 0; i < 256; ++i) intervals.insert(std::floor(sobol.share(i, d) * 256.0));
    EXPECT_EQ(intervals.size(), 256u);
  }
}

TEST(Sampling, SharesLieBetweenNoughtAndOneAndDependOnTheSeed) {
  for (const SamplingKind kind : {SamplingKind::latin, SamplingKind::sobol, SamplingKind::random}) {
    const Sampling one(kind, 4096, 2, 1), same(kind, 4096, 2, 1), other(kind, 4096, 2, 2);
    double sum = 0.0;
    int differing = 0;
    for (std::int64_t i = 4095; i >= 0; --i) {
      const double share = one.share(i, 1);
      EXPECT_TRUE(share > 0.0 && share < 1.0);
      EXPECT_EQ(share, same.share(i, 1));
      differing += share != other.share(i, 1);
      sum += share;
    }
    EXPECT_NEAR(sum / 4096.0, 0.5, 4.0 / std::sqrt(12.0 * 4096.0)) << "beyond four standard deviations";
    EXPECT_GT(differing, 4000);
  }
}

TEST(Sampling, RefusesWhatItDoesNotHave) {
  EXPECT_THROW(samplingKind("sobl"), InputError);
  EXPECT_THROW(Sampling(SamplingKind::sobol, 10, mostSobolDimensions + 1, 1), InputError);
  EXPECT_NO_THROW(Sampling(SamplingKind::random, 10, mostSobolDimensions + 1, 1));
}

}  // namespace
}  // namespace polhode::ensemble::sampling_test
