#include "polhode/model/sampled_path.h"

#include "polhode/error.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace polhode {
namespace {

/// A step's time is a sum of roundings: it counts as the sample's if it comes this close before it.
constexpr double timeRounding = 1e-9;

}  // namespace

SampledPath::SampledPath(std::vector<double> times, std::vector<Vector3> positions)
    : times_(std::move(times)), positions_(std::move(positions)) {
  if (times_.empty()) throw InputError("a signal without a sample cannot be followed; give at least one");
  if (times_.size() != positions_.size())
    throw InputError(
        fmt::format("a signal of {} times has {} positions; give one at each time", times_.size(), positions_.size()));
  for (std::size_t i = 0; i < times_.size(); ++i) {
    if (!std::isfinite(times_[i]) || !positions_[i].allFinite())
      throw InputError(fmt::format("sample {} of a signal is not finite; give finite numbers", i + 1));
    if (i > 0 && times_[i] <= times_[i - 1])
      throw InputError(fmt::format("a signal has the time {:g} behind the time {:g}; give times in increasing order",
                                   times_[i], times_[i - 1]));
  }
  const std::size_t last = size() - 1;
  for (std::size_t i = 0; i <= last; ++i) {
    const std::size_t before = i > 0 ? i - 1 : 0, after = std::min(i + 1, last);
    velocities_.push_back(after > before
                              ? Vector3((positions_[after] - positions_[before]) / (times_[after] - times_[before]))
                              : Vector3(Vector3::Zero()));
  }
}

std::size_t SampledPath::indexAt(double time) const {
  const auto next = std::upper_bound(times_.begin(), times_.end(), time + timeRounding);
  return next == times_.begin() ? 0 : static_cast<std::size_t>(next - times_.begin()) - 1;
}

}  // namespace polhode
