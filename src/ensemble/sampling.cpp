#include "ensemble/sampling.h"

#include "ensemble/sobol_sequence.h"
#include "model/suggestion.h"
#include "polhode/error.h"

#include <algorithm>
#include <bit>

#include <fmt/format.h>

namespace polhode::ensemble {

namespace {

const std::vector<std::string> kindWords = {"grid", "latin", "sobol", "random"};

std::uint64_t mixed(std::uint64_t state) {
  std::uint64_t z = state + 0x9e3779b97f4a7c15u;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return z ^ (z >> 31);
}

/// Between 0 and 1, neither of which it is.
double shareOf(std::uint64_t bits) {
  return (static_cast<double>(bits >> 12) + 0.5) * 0x1p-52;
}

/// Where `number` comes in a random order of 0 .. size - 1, without the order being kept: a Feistel network shuffles a power
/// of four, and what falls beyond the size is shuffled again.
std::uint64_t shuffled(std::uint64_t number, std::uint64_t size, std::uint64_t seed, std::uint64_t dimension) {
  const int half = (std::bit_width(size - 1) + 1) / 2;
  if (half == 0) return 0;
  const std::uint64_t mask = (std::uint64_t(1) << half) - 1;
  do {
    std::uint64_t left = number >> half, right = number & mask;
    for (std::uint64_t round = 0; round < 6; ++round) {
      const std::uint64_t next = left ^ (randomBits(seed ^ (round + 1) << 56, right, dimension) & mask);
      left = right;
      right = next;
    }
    number = left << half | right;
  } while (number >= size);
  return number;
}

}  // namespace

std::uint64_t randomBits(std::uint64_t seed, std::uint64_t number, std::uint64_t dimension) {
  return mixed(mixed(mixed(seed) + number) + dimension);
}

SamplingKind samplingKind(const std::string& word) {
  for (std::size_t i = 0; i < kindWords.size(); ++i)
    if (kindWords[i] == word) return static_cast<SamplingKind>(i);
  throw InputError(fmt::format("--sampling {} does not exist; {}", quoted(word), suggestion(word, kindWords)));
}

std::string wordOf(SamplingKind kind) {
  return kindWords[static_cast<std::size_t>(kind)];
}

Sampling Sampling::grid(std::vector<std::int64_t> counts) {
  Sampling sampling;
  double size = 1.0;
  for (const std::int64_t count : counts) size *= static_cast<double>(count);
  if (size > mostMembers)
    throw InputError(fmt::format("the grid has {:.3g} members; take fewer values, or --samples N of them", size));
  sampling.size_ = static_cast<std::int64_t>(size);
  sampling.counts_ = std::move(counts);
  return sampling;
}

Sampling::Sampling(SamplingKind kind, std::int64_t samples, std::size_t dimensions, std::uint64_t seed)
    : kind_(kind), size_(samples), seed_(seed) {
  if (kind == SamplingKind::sobol && dimensions > mostSobolDimensions)
    throw InputError(
        fmt::format("{} dimensions are more than the {} that Sobol' points have here; vary fewer keys, or "
                    "take --sampling latin",
                    dimensions, mostSobolDimensions));
  if (kind == SamplingKind::sobol && samples > std::int64_t(1) << 32)
    throw InputError("there are 2^32 Sobol' points; take fewer --samples, or --sampling random");
}

double Sampling::share(std::int64_t number, std::size_t dimension) const {
  const auto i = static_cast<std::uint64_t>(number), d = static_cast<std::uint64_t>(dimension);
  switch (kind_) {
    case SamplingKind::grid: {
      for (std::size_t k = counts_.size(); --k > dimension;) number /= counts_[k];
      const std::int64_t count = counts_[dimension];
      return (static_cast<double>(number % count) + 0.5) / static_cast<double>(count);
    }
    case SamplingKind::latin: {
      const std::uint64_t stratum = shuffled(i, static_cast<std::uint64_t>(size_), seed_, d);
      const double place = static_cast<double>(stratum) + shareOf(randomBits(seed_, i, d));
      return std::min(place / static_cast<double>(size_), 1.0 - 0x1p-53);
    }
    case SamplingKind::sobol: {
      const std::uint64_t shift = randomBits(seed_, 0, d);
      const std::uint64_t point = std::uint64_t(sobolDigits(static_cast<std::uint32_t>(i), unsigned(dimension))) << 32;
      return shareOf(point ^ shift);
    }
    case SamplingKind::random:
      break;
  }
  return shareOf(randomBits(seed_, i, d));
}

}  // namespace polhode::ensemble
