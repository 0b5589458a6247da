#include "ensemble/sobol_indices.h"

#include "ensemble/sampling.h"

#include <algorithm>
#include <cmath>

namespace polhode::ensemble {

namespace {

constexpr int redraws = 200;
constexpr double mostRedrawn = 2e8;  // numbers that are looked at; beyond that fewer redraws say as much

/// Rows that are whole, from their mean.
std::vector<double> wholeRows(std::span<const double> values, std::size_t perRow) {
  std::vector<double> rows;
  for (std::size_t row = 0; (row + 1) * perRow <= values.size(); ++row) {
    const auto begin = values.begin() + static_cast<std::ptrdiff_t>(row * perRow);
    const auto end = begin + static_cast<std::ptrdiff_t>(perRow);
    if (std::all_of(begin, end, [](double value) { return std::isfinite(value); })) rows.insert(rows.end(), begin, end);
  }
  // by all values of A and B
  double sum = 0.0;
  for (std::size_t at = 0; at < rows.size(); at += perRow) sum += rows[at] + rows[at + 1];
  const double mean = rows.empty() ? 0.0 : sum / (2.0 * static_cast<double>(rows.size() / perRow));
  for (double& value : rows) value -= mean;
  return rows;
}

/// Of rows that `pick` names, first and total one after the other.
template <class Pick>
std::vector<double> estimate(const std::vector<double>& rows, std::size_t dimensions, const Pick& pick) {
  const std::size_t perRow = dimensions + 2, count = rows.size() / perRow;
  std::vector<double> sums(2 * dimensions, 0.0);
  double sum = 0.0, squares = 0.0;
  for (std::size_t k = 0; k < count; ++k) {
    const double* row = rows.data() + perRow * pick(k);
    const double a = row[0], b = row[1];
    sum += a + b;
    squares += a * a + b * b;
    for (std::size_t i = 0; i < dimensions; ++i) {
      const double change = row[2 + i] - a;
      sums[2 * i] += b * change;
      sums[2 * i + 1] += 0.5 * change * change;
    }
  }
  const auto n = static_cast<double>(count);
  const double variance = squares / (2.0 * n) - sum / (2.0 * n) * (sum / (2.0 * n));
  for (double& each : sums) each /= n * variance;
  return sums;
}

Interval middleOf(std::vector<double> all) {
  std::sort(all.begin(), all.end());
  const auto at = [&](double share) {
    return all[static_cast<std::size_t>(share * static_cast<double>(all.size() - 1) + 0.5)];
  };
  return {at(0.025), at(0.975)};
}

}  // namespace

std::vector<SobolIndex> sobolIndices(std::span<const double> values, std::size_t dimensions, std::uint64_t seed) {
  const std::vector<double> rows = wholeRows(values, dimensions + 2);
  const std::size_t count = rows.size() / (dimensions + 2);
  const bool varies = std::any_of(rows.begin(), rows.end(), [&](double value) { return value != rows.front(); });
  if (count < 2 || !varies) return {};

  const std::vector<double> found = estimate(rows, dimensions, [](std::size_t k) { return k; });
  const int times = std::clamp(static_cast<int>(mostRedrawn / static_cast<double>(rows.size())), 20, redraws);
  std::vector<std::vector<double>> redrawn(2 * dimensions);
  for (int draw = 0; draw < times; ++draw) {
    const std::vector<double> again = estimate(rows, dimensions, [&](std::size_t k) {
      return static_cast<std::size_t>(randomBits(seed, k, static_cast<std::uint64_t>(draw)) % count);
    });
    for (std::size_t i = 0; i < again.size(); ++i) redrawn[i].push_back(again[i]);
  }
  std::vector<SobolIndex> indices;
  for (std::size_t i = 0; i < dimensions; ++i)
    indices.push_back({found[2 * i], found[2 * i + 1], middleOf(redrawn[2 * i]), middleOf(redrawn[2 * i + 1])});
  return indices;
}

}  // namespace polhode::ensemble
