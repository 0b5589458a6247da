#include "model/smooth_table.h"

#include "polhode/error.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace polhode {
namespace {

constexpr std::size_t neighboursOfValues = 11, neighboursOfRates = 15;

/// A number and its first two derivatives at one of the times, of the polynomial through it and its nearest neighbours: Newton's
/// form by divided differences, the nearest first, which is kindest to roundings.
Vector3 derivativesAt(std::size_t point, const std::vector<double>& times, const std::vector<double>& numbers,
                      std::size_t neighbours) {
  const std::size_t count = std::min(times.size(), neighbours);
  const std::size_t from = std::min(point - std::min(point, count / 2), times.size() - count);
  std::vector<std::size_t> order(count);
  for (std::size_t i = 0; i < count; ++i) order[i] = from + i;
  const double at = times[point];
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return std::abs(times[a] - at) < std::abs(times[b] - at); });
  std::vector<double> differences(count);
  for (std::size_t i = 0; i < count; ++i) differences[i] = numbers[order[i]] - numbers[point];
  for (std::size_t k = 1; k < count; ++k)
    for (std::size_t i = count - 1; i >= k; --i)
      differences[i] = (differences[i] - differences[i - 1]) / (times[order[i]] - times[order[i - k]]);
  Vector3 sums = Vector3::Zero();
  for (std::size_t i = count; i-- > 0;) {
    const double x = at - times[order[i]];
    sums = Vector3(sums[0] * x + differences[i], sums[1] * x + sums[0], sums[2] * x + 2.0 * sums[1]);
  }
  return {numbers[point], sums[1], sums[2]};
}

/// The polynomial of fifth degree with given values, rates and accelerations at its ends, and its derivatives.
struct SmoothPiece {
  double width;
  std::array<double, 6> c;  // of powers of the share of the width

  double derivative(double time, int order) const {
    const double x = time / width;
    double sum = 0.0;
    for (int k = 5; k >= order; --k) {
      double factor = c[static_cast<std::size_t>(k)];
      for (int i = 0; i < order; ++i) factor *= k - i;
      sum = sum * x + factor;
    }
    return sum / std::pow(width, order);
  }
};

struct SmoothCurve {
  std::vector<double> times;
  std::vector<SmoothPiece> pieces;
  double first, last;

  double at(double time, int order) const {
    const double rounding = 1e-9 * (times.back() - times.front());
    if (time < times.front() - rounding) return order == 0 ? first : 0.0;
    if (time > times.back() + rounding) return order == 0 ? last : 0.0;
    const auto behind = std::upper_bound(times.begin() + 1, times.end() - 1, time);
    const auto piece = static_cast<std::size_t>(behind - times.begin()) - 1;
    return pieces[piece].derivative(time - times[piece], order);
  }
};

SmoothPiece smoothPiece(double width, const Vector3& from, const Vector3& to) {
  const double a = from[0], b = width * from[1], c = 0.5 * width * width * from[2];
  const double value = to[0] - a - b - c, rate = width * to[1] - b - 2.0 * c, turn = width * width * to[2] - 2.0 * c;
  return {width,
          {a, b, c, 10.0 * value - 4.0 * rate + 0.5 * turn, -15.0 * value + 7.0 * rate - turn,
           6.0 * value - 3.0 * rate + 0.5 * turn}};
}

}  // namespace

Signal smoothTable(const std::vector<double>& times, const std::vector<double>& values,
                   const std::vector<double>& rates) {
  const std::size_t count = times.size();
  if (count < 2 || values.size() != count || (!rates.empty() && rates.size() != count))
    throw InputError(
        fmt::format("a smooth table of {} times has {} values; give two points or more", count, values.size()));
  for (std::size_t i = 0; i < count; ++i) {
    if (!std::isfinite(times[i]) || !std::isfinite(values[i]) || (!rates.empty() && !std::isfinite(rates[i])))
      throw InputError(fmt::format("a smooth table has a point {} that is not finite; give finite numbers", i + 1));
    if (i > 0 && !(times[i] > times[i - 1]))
      throw InputError(
          fmt::format("a smooth table has the time {:g} behind the time {:g}; give times in increasing order", times[i],
                      times[i - 1]));
  }
  auto curve = std::make_shared<SmoothCurve>();
  curve->times = times;
  curve->first = values.front();
  curve->last = values.back();
  Vector3 before = Vector3::Zero();
  for (std::size_t i = 0; i < count; ++i) {
    Vector3 here =
        derivativesAt(i, times, rates.empty() ? values : rates, rates.empty() ? neighboursOfValues : neighboursOfRates);
    if (!rates.empty()) here = Vector3(values[i], here[0], here[1]);
    if (i > 0) curve->pieces.push_back(smoothPiece(times[i] - times[i - 1], before, here));
    before = here;
  }
  return Signal::function([curve](double t) { return curve->at(t, 0); }, [curve](double t) { return curve->at(t, 1); },
                          [curve](double t) { return curve->at(t, 2); });
}

}  // namespace polhode
