#include "hand_signal.h"

#include <cmath>

namespace polhode {
namespace {

constexpr double handRate = 90.0;
constexpr double handJitter = 5e-4;

/// Uniform in [-1, 1), from the number of the sample, the component and the seed.
double hashedJitter(std::uint64_t sample, std::uint64_t component, std::uint64_t seed) {
  std::uint32_t x = static_cast<std::uint32_t>(sample * 7919 + component * 104729 + seed * 15485863 + 12345);
  x *= 2654435761u;
  x ^= x >> 16;
  x *= 2246822519u;
  x ^= x >> 13;
  x *= 3266489917u;
  x ^= x >> 16;
  return x / 2147483648.0 - 1.0;
}

Vector3 handSample(std::uint64_t j, std::uint64_t seed) {
  using std::sin, std::cos;
  const double t = static_cast<double>(j) / handRate;
  Vector3 p(0.9716 - 0.30 * sin(1.1 * t) + 0.05 * sin(3.7 * t),
            -0.1003 + 0.25 * (1.0 - cos(0.9 * t)) - 0.04 * sin(2.9 * t),
            1.2480 - 0.20 * sin(1.6 * t) + 0.03 * cos(4.3 * t) - 0.03);
  if (j >= 90 && j < 117) p += Vector3(0.05, 0.0, 0.0);
  if (j >= 180 && j < 189) p += Vector3(0.0, -0.04, 0.03);
  if (j >= 270) p += Vector3(0.02, 0.02, -0.02);
  for (std::uint64_t c = 0; c < 3; ++c) p[static_cast<Eigen::Index>(c)] += handJitter * hashedJitter(j, c, seed);
  return p;
}

}  // namespace

SampledPath handSignal(std::uint64_t seed, double end) {
  const auto last = static_cast<std::uint64_t>(std::ceil(handRate * end)) + 1;
  std::vector<double> times;
  std::vector<Vector3> positions;
  for (std::uint64_t j = 0; j <= last; ++j) {
    times.push_back(static_cast<double>(j) / handRate);
    positions.push_back(handSample(j, seed));
  }
  return {std::move(times), std::move(positions)};
}

}  // namespace polhode
