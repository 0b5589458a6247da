#include "io/thinning.h"

#include <algorithm>
#include <cmath>
#include <limits>
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

std::vector<std::size_t> thinnedByError(const std::vector<double>& x, const std::vector<double>& y, double tolerance) {
  std::vector<std::size_t> kept;
  double steepest = 0.0, flattest = 0.0;  // lines from the last kept point that pass all points since closely enough
  bool isOpen = false;                    // whether there is such a point
  for (std::size_t i = 0; i < x.size(); ++i) {
    if (!std::isfinite(y[i])) {
      if (i > 0 && kept.back() != i - 1) kept.push_back(i - 1);
      kept.push_back(i);
      isOpen = false;
      continue;
    }
    if (!isOpen) {
      kept.push_back(i);
      isOpen = true;
      steepest = std::numeric_limits<double>::infinity();
      flattest = -steepest;
      continue;
    }
    std::size_t from = kept.back();
    const auto slopeTo = [&](double value) { return (value - y[from]) / (x[i] - x[from]); };
    if (slopeTo(y[i]) > steepest || slopeTo(y[i]) < flattest) {
      kept.push_back(from = i - 1);
      steepest = std::numeric_limits<double>::infinity();
      flattest = -steepest;
    }
    steepest = std::min(steepest, slopeTo(y[i] + tolerance));
    flattest = std::max(flattest, slopeTo(y[i] - tolerance));
  }
  if (!kept.empty() && kept.back() + 1 != x.size()) kept.push_back(x.size() - 1);
  return kept;
}

namespace {

constexpr std::size_t placeNumbers = 7;

/// Whether a body in the middle is where a blend of two rows has it.
bool blendIsClose(const double* a, const double* b, const double* middle, double share, double distance, double angle) {
  double square = 0.0;
  for (int i = 0; i < 3; ++i) {
    const double off = a[i] + share * (b[i] - a[i]) - middle[i];
    square += off * off;
  }
  if (!(square <= distance * distance)) return false;
  double dot = 0.0;
  for (int i = 3; i < 7; ++i) dot += a[i] * b[i];
  const double sign = dot < 0.0 ? -1.0 : 1.0;
  double length = 0.0, along = 0.0;
  for (int i = 3; i < 7; ++i) {
    const double blend = (1.0 - share) * a[i] + share * sign * b[i];
    length += blend * blend;
    along += blend * middle[i];
  }
  // cos(angle/2) between the two orientations
  return std::abs(along) >= std::cos(0.5 * angle) * std::sqrt(length);
}

}  // namespace

std::vector<std::size_t> thinnedMotion(const std::vector<double>& times, const std::vector<double>& places,
                                       double distance, double angle) {
  constexpr std::size_t longest = 256;  // rows that one blend may stand for
  const std::size_t rows = times.size(), stride = rows ? places.size() / rows : 0;
  const auto standsFor = [&](std::size_t from, std::size_t to) {
    for (std::size_t row = from + 1; row < to; ++row) {
      const double share = (times[row] - times[from]) / (times[to] - times[from]);
      for (std::size_t i = 0; i < stride; i += placeNumbers)
        if (!blendIsClose(&places[from * stride + i], &places[to * stride + i], &places[row * stride + i], share,
                          distance, angle))
          return false;
    }
    return true;
  };
  std::vector<std::size_t> kept;
  for (std::size_t from = 0; from < rows;) {
    kept.push_back(from);
    if (from + 1 == rows) break;
    std::size_t to = from + 1;
    while (to + 1 < rows && to - from < longest && standsFor(from, to + 1)) ++to;
    from = to;
  }
  return kept;
}

}  // namespace polhode
