#include "io/thinning.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace polhode {

namespace {

constexpr std::size_t none = static_cast<std::size_t>(-1);

/// What stays of one interval.
struct Interval {
  std::size_t lowest = none, highest = none, lowestPositive = none, gap = none;

  void add(std::size_t i, double x, const std::vector<double>& y) {
    if (!std::isfinite(x) || !std::isfinite(y[i])) {
      if (gap == none) gap = i;
      return;
    }
    if (lowest == none || y[i] < y[lowest]) lowest = i;
    if (highest == none || y[i] > y[highest]) highest = i;
    if (y[i] > 0.0 && (lowestPositive == none || y[i] < y[lowestPositive])) lowestPositive = i;
  }

  void appendTo(std::vector<std::size_t>& kept) const {
    for (const std::size_t i : {lowest, highest, lowestPositive, gap}) {
      if (i != none) kept.push_back(i);
    }
  }
};

/// Where each point lies along the horizontal axis; empty where the points do not lie there in order.
std::vector<double> positionsOnAxis(const std::vector<double>& x, bool logX) {
  std::vector<double> positions(x);
  if (logX) {
    for (double& p : positions) p = std::log10(p);
  }
  const bool usable = std::all_of(positions.begin(), positions.end(), [](double p) { return std::isfinite(p); });
  const bool increases = usable && std::is_sorted(positions.begin(), positions.end());
  if (!increases || positions.front() == positions.back()) return {};
  return positions;
}

}  // namespace

std::vector<std::size_t> thinned(const std::vector<double>& x, const std::vector<double>& y, bool logX,
                                 std::size_t most) {
  std::vector<std::size_t> kept;
  if (x.size() <= most) {
    kept.resize(x.size());
    std::iota(kept.begin(), kept.end(), std::size_t{0});
    return kept;
  }

  // four points an interval and the two ends
  const std::size_t intervals = (most - 2) / 4;
  std::vector<double> positions = positionsOnAxis(x, logX);
  if (positions.empty()) {
    positions.resize(x.size());
    std::iota(positions.begin(), positions.end(), 0.0);
  }
  const double begin = positions.front();
  const double width = (positions.back() - begin) / static_cast<double>(intervals);

  std::vector<Interval> cut(intervals);
  for (std::size_t i = 0; i < x.size(); ++i) {
    const auto k = static_cast<std::size_t>((positions[i] - begin) / width);
    cut[std::min(k, intervals - 1)].add(i, x[i], y);
  }

  kept.push_back(0);
  for (const Interval& interval : cut) interval.appendTo(kept);
  kept.push_back(x.size() - 1);
  std::sort(kept.begin(), kept.end());
  kept.erase(std::unique(kept.begin(), kept.end()), kept.end());
  return kept;
}

}  // namespace polhode
