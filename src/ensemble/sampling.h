#pragma once

#include <cstdint>
#include <string>
#include <vector>

/// Where members stand among all possible ones: for each dimension (a parameter, or several that go together) a share u
/// between 0 and 1.
///
///     grid     every value with every other; the last dimension changes first
///     latin    a Latin hypercube: in each dimension, one member in each n-th of the range (M. D. McKay and others, 1979)
///     sobol    Sobol' points (sobol_sequence.h), shifted by the seed: u = x ^ shift, digit by digit
///     random   independent of each other
///
/// A share depends on the seed, the number of the member and the dimension alone: members may be made in any order, by any
/// number of threads or machines, and are the same bit by bit.
namespace polhode::ensemble {

enum class SamplingKind { grid, latin, sobol, random };

constexpr double mostMembers = 1e12;

/// Throws InputError with the nearest word.
SamplingKind samplingKind(const std::string& word);
std::string wordOf(SamplingKind kind);

class Sampling {
 public:
  /// A grid of so many values in each dimension. Throws InputError where there are more than mostMembers.
  static Sampling grid(std::vector<std::int64_t> counts);

  /// Throws InputError where there are more dimensions than Sobol' points have here.
  Sampling(SamplingKind kind, std::int64_t samples, std::size_t dimensions, std::uint64_t seed);

  std::int64_t size() const { return size_; }
  double share(std::int64_t number, std::size_t dimension) const;

 private:
  Sampling() = default;

  SamplingKind kind_ = SamplingKind::grid;
  std::int64_t size_ = 0;
  std::uint64_t seed_ = 0;
  std::vector<std::int64_t> counts_;
};

/// 64 random bits of a seed and two numbers: three rounds of SplitMix64 (G. L. Steele and others, OOPSLA 2014).
std::uint64_t randomBits(std::uint64_t seed, std::uint64_t number, std::uint64_t dimension);

}  // namespace polhode::ensemble
