#include "polhode/model/signal.h"

#include "model/formula.h"
#include "model/suggestion.h"
#include "polhode/error.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

namespace polhode {
namespace {

/// Refuses points that are none, not finite or not in the order of time; `kind` is "a table" or "samples".
void checkPoints(const char* kind, const std::vector<double>& times, const std::vector<double>& values, bool jumps) {
  if (times.empty()) throw InputError(fmt::format("{} without a point cannot be used; give at least one", kind));
  if (times.size() != values.size())
    throw InputError(
        fmt::format("{} of {} times has {} values; give one value at each time", kind, times.size(), values.size()));
  for (std::size_t i = 0; i < times.size(); ++i) {
    if (!std::isfinite(times[i]) || !std::isfinite(values[i]))
      throw InputError(fmt::format("{} has a point {} that is not finite; give finite numbers", kind, i + 1));
    if (i == 0 || times[i] > times[i - 1]) continue;
    const bool isJump = jumps && times[i] == times[i - 1] && (i < 2 || times[i] > times[i - 2]);
    if (!isJump)
      throw InputError(fmt::format("{} has the time {:g} behind the time {:g}; give times in increasing order", kind,
                                   times[i], times[i - 1]));
  }
}

/// The number of points whose time is not behind `time`.
std::size_t pointsUntil(const std::vector<double>& times, double time) {
  return static_cast<std::size_t>(std::upper_bound(times.begin(), times.end(), time) - times.begin());
}

/// Of points: the breaks from < time <= to of orders that `orderAt(i)` gives; negative where a point is none.
template <class OrderAt>
std::vector<SignalBreak> pointBreaks(const std::vector<double>& times, double from, double to, const OrderAt& orderAt) {
  std::vector<SignalBreak> found;
  for (std::size_t i = pointsUntil(times, from); i < times.size() && times[i] <= to; ++i)
    if (const int order = orderAt(i); order >= 0) found.push_back({times[i], order});
  return found;
}

/// The least and greatest of numbers, of `first` to `last`.
std::array<double, 2> rangeOf(const std::vector<double>& numbers, std::size_t first, std::size_t last,
                              std::array<double, 2> range) {
  for (std::size_t i = first; i < last; ++i) range = {std::min(range[0], numbers[i]), std::max(range[1], numbers[i])};
  return range;
}

}  // namespace

constexpr std::array<double, 2> unbounded = {-std::numeric_limits<double>::infinity(),
                                             std::numeric_limits<double>::infinity()};

class Signal::FormulaCurve : public Signal::Curve {
 public:
  FormulaCurve(const std::string& text, const std::map<std::string, double>& parameters)
      : formula_(text, "t", parameters) {}

  double value(double time) const override { return finite(formula_.value(time), "is", time); }
  double rate(double time) const override { return finite(formula_.rate(time), "changes at a rate that is", time); }
  double acceleration(double time) const override {
    return finite(formula_.acceleration(time), "has an acceleration that is", time);
  }
  std::vector<SignalBreak> breaks(double from, double to) const override;
  std::array<double, 2> range(double from, double to) const override {
    const Interval range = formula_.range(from, to);
    return {range.least(), range.greatest()};
  }

 private:
  double finite(double number, const char* verb, double time) const {
    if (std::isfinite(number)) return number;
    throw SimulationError(time, fmt::format("formula {} {} not finite at t = {:g}; write one that is bounded",
                                            quoted(formula_.text()), verb, time));
  }

  Formula formula_;
};

/// The derivative that jumps is told by comparing both sides. What jumps by less than a millionth of the largest that is
/// seen of it is a rounding.
std::vector<SignalBreak> Signal::FormulaCurve::breaks(double from, double to) const {
  constexpr double noticeable = 1e-6;
  const std::vector<double> times = formula_.breakTimes(from, to);
  if (times.empty()) return {};
  const auto derivatives = [this](double time) {
    return Vector3(formula_.value(time), formula_.rate(time), formula_.acceleration(time));
  };
  Vector3 largest = Vector3::Zero();
  double begin = from;
  for (std::size_t i = 0; i <= times.size(); ++i) {
    const double end = i < times.size() ? times[i] : to;
    for (const double share : {0.0, 0.1, 0.37, 0.61, 0.9})
      if (const Vector3 here = derivatives(begin + share * (end - begin)); here.allFinite())
        largest = largest.cwiseMax(here.cwiseAbs());
    begin = end;
  }
  std::vector<SignalBreak> found;
  for (const double time : times) {
    const Vector3 jump = (derivatives(time) - derivatives(std::nextafter(time, from))).cwiseAbs();
    int order = 0;
    while (order < 3 && jump[order] <= noticeable * largest[order]) ++order;
    found.push_back({time, order});
  }
  return found;
}

class Signal::TableCurve : public Signal::Curve {
 public:
  TableCurve(std::vector<double> times, std::vector<double> values)
      : times_(std::move(times)), values_(std::move(values)) {
    checkPoints("a table", times_, values_, true);
  }

  double value(double time) const override {
    const std::size_t next = pointsUntil(times_, time);
    if (next == 0) return values_.front();
    if (next == times_.size()) return values_.back();
    return values_[next - 1] + (time - times_[next - 1]) * slopeBefore(next);
  }
  double rate(double time) const override {
    const std::size_t next = pointsUntil(times_, time);
    return next == 0 || next == times_.size() ? 0.0 : slopeBefore(next);
  }
  std::vector<SignalBreak> breaks(double from, double to) const override {
    return pointBreaks(times_, from, to, [this](std::size_t i) {
      if (i + 1 < times_.size() && times_[i + 1] == times_[i]) return -1;  // the second of both tells
      if (i > 0 && times_[i] == times_[i - 1]) return values_[i] != values_[i - 1] ? 0 : 1;
      const double before = i > 0 ? slopeBefore(i) : 0.0, after = i + 1 < times_.size() ? slopeBefore(i + 1) : 0.0;
      return before != after ? 1 : -1;
    });
  }
  std::array<double, 2> range(double from, double to) const override {
    const double before = value(from), after = value(to);
    return rangeOf(values_, pointsUntil(times_, from), pointsUntil(times_, to),
                   {std::min(before, after), std::max(before, after)});
  }
  bool hasPoints() const override { return true; }

 private:
  double slopeBefore(std::size_t i) const { return (values_[i] - values_[i - 1]) / (times_[i] - times_[i - 1]); }

  std::vector<double> times_, values_;
};

class Signal::SampleCurve : public Signal::Curve {
 public:
  SampleCurve(std::vector<double> times, std::vector<double> values)
      : times_(std::move(times)), values_(std::move(values)) {
    checkPoints("a row of samples", times_, values_, false);
  }

  double value(double time) const override {
    const std::size_t next = pointsUntil(times_, time);
    return values_[next == 0 ? 0 : next - 1];
  }
  double rate(double) const override { return 0.0; }
  std::vector<SignalBreak> breaks(double from, double to) const override {
    return pointBreaks(times_, from, to,
                       [this](std::size_t i) { return i > 0 && values_[i] != values_[i - 1] ? 0 : -1; });
  }
  std::array<double, 2> range(double from, double to) const override {
    const double before = value(from);
    return rangeOf(values_, pointsUntil(times_, from), pointsUntil(times_, to), {before, before});
  }
  bool hasPoints() const override { return true; }

 private:
  std::vector<double> times_, values_;
};

/// Cubic pieces by the values y_i and second derivatives M_i at the points,
///
///     h_(i-1) M_(i-1) + 2 (h_(i-1) + h_i) M_i + h_i M_(i+1) = 6 (s_i - s_(i-1)),     s_i = (y_(i+1) - y_i)/h_i,
///
/// and at the ends M = 0 (free) or a slope of zero (rest): 2 M_0 + M_1 = 6 s_0/h_0, M_(n-1) + 2 M_n = -6 s_(n-1)/h_(n-1).
class Signal::SplineCurve : public Signal::Curve {
 public:
  SplineCurve(std::vector<double> times, std::vector<double> values, SplineEnds ends)
      : times_(std::move(times)), values_(std::move(values)), ends_(ends) {
    checkPoints("a spline", times_, values_, false);
    if (times_.size() < 2) throw InputError("a spline through one point cannot be used; give at least two");
    bend();
  }

  double value(double time) const override { return derivative(time, 0); }
  double rate(double time) const override { return derivative(time, 1); }
  double acceleration(double time) const override { return derivative(time, 2); }
  std::vector<SignalBreak> breaks(double from, double to) const override {
    return pointBreaks(times_, from, to, [this](std::size_t i) {
      const bool isEnd = i == 0 || i + 1 == times_.size();
      return isEnd && ends_ == SplineEnds::rest && bends_[i] != 0.0 ? 2 : 3;
    });
  }
  std::array<double, 2> range(double from, double to) const override {
    const double before = value(from), after = value(to);
    std::array<double, 2> range = {std::min(before, after), std::max(before, after)};
    const std::size_t first = std::max<std::size_t>(pointsUntil(times_, from), 1) - 1;
    for (std::size_t i = first; i + 1 < times_.size() && times_[i] < to; ++i) {
      // a cubic piece stays this near to its chord
      const double h = times_[i + 1] - times_[i];
      const double bulge = h * h / 8.0 * std::max(std::abs(bends_[i]), std::abs(bends_[i + 1]));
      range = {std::min({range[0], values_[i] - bulge, values_[i + 1] - bulge}),
               std::max({range[1], values_[i] + bulge, values_[i + 1] + bulge})};
    }
    return range;
  }

 private:
  double length(std::size_t i) const { return times_[i + 1] - times_[i]; }
  double slope(std::size_t i) const { return (values_[i + 1] - values_[i]) / length(i); }

  /// Solves for the second derivatives, by elimination along the diagonal.
  void bend() {
    const std::size_t n = times_.size() - 1;
    const bool rests = ends_ == SplineEnds::rest;
    std::vector<double> diagonal(n + 1), above(n + 1);
    bends_.resize(n + 1);
    const auto row = [&](std::size_t i, double below, double middle, double over, double right) {
      const double factor = i > 0 ? below / diagonal[i - 1] : 0.0;
      diagonal[i] = middle - (i > 0 ? factor * above[i - 1] : 0.0);
      above[i] = over;
      bends_[i] = right - (i > 0 ? factor * bends_[i - 1] : 0.0);
    };
    row(0, 0.0, rests ? 2.0 : 1.0, rests ? 1.0 : 0.0, rests ? 6.0 * slope(0) / length(0) : 0.0);
    for (std::size_t i = 1; i < n; ++i)
      row(i, length(i - 1), 2.0 * (length(i - 1) + length(i)), length(i), 6.0 * (slope(i) - slope(i - 1)));
    row(n, rests ? 1.0 : 0.0, rests ? 2.0 : 1.0, 0.0, rests ? -6.0 * slope(n - 1) / length(n - 1) : 0.0);
    bends_[n] /= diagonal[n];
    for (std::size_t i = n; i-- > 0;) bends_[i] = (bends_[i] - above[i] * bends_[i + 1]) / diagonal[i];
  }

  double derivative(double time, int order) const {
    const std::size_t until = pointsUntil(times_, time), last = times_.size() - 1;
    if (until == 0) return beyond(0, time, order);
    if (until > last) return beyond(last, time, order);
    return within(until - 1, time, order);
  }

  /// On the piece that begins at point i.
  double within(std::size_t i, double time, int order) const {
    const double h = length(i), a = (times_[i + 1] - time) / h, b = (time - times_[i]) / h;
    const double from = bends_[i], to = bends_[i + 1];
    if (order == 2) return a * from + b * to;
    if (order == 1) return slope(i) + h / 6.0 * ((3.0 * b * b - 1.0) * to - (3.0 * a * a - 1.0) * from);
    return a * values_[i] + b * values_[i + 1] + h * h / 6.0 * ((a * a * a - a) * from + (b * b * b - b) * to);
  }

  /// Before the first point and behind the last.
  double beyond(std::size_t end, double time, int order) const {
    if (order == 2) return 0.0;
    const double speed = ends_ == SplineEnds::rest ? 0.0 : within(end == 0 ? 0 : end - 1, times_[end], 1);
    return order == 1 ? speed : values_[end] + speed * (time - times_[end]);
  }

  std::vector<double> times_, values_, bends_;
  SplineEnds ends_;
};

class Signal::FunctionCurve : public Signal::Curve {
 public:
  using Function = std::function<double(double)>;

  FunctionCurve(Function value, Function rate, Function acceleration)
      : value_(std::move(value)), rate_(std::move(rate)), acceleration_(std::move(acceleration)) {}

  double value(double time) const override { return value_(time); }
  double rate(double time) const override { return rate_ ? rate_(time) : 0.0; }
  double acceleration(double time) const override { return acceleration_ ? acceleration_(time) : 0.0; }
  std::array<double, 2> range(double, double) const override { return unbounded; }

 private:
  Function value_, rate_, acceleration_;
};

std::vector<SignalBreak> Signal::breaks(double from, double to) const {
  return curve_ ? curve_->breaks(from, to) : std::vector<SignalBreak>();
}

std::array<double, 2> Signal::range(double from, double to) const {
  return curve_ ? curve_->range(from, to) : std::array<double, 2>{constant_, constant_};
}

Signal Signal::formula(const std::string& text, const std::map<std::string, double>& parameters) {
  return Signal(std::make_shared<const FormulaCurve>(text, parameters));
}

Signal Signal::spline(std::vector<double> times, std::vector<double> values, SplineEnds ends) {
  return Signal(std::make_shared<const SplineCurve>(std::move(times), std::move(values), ends));
}

Signal Signal::table(std::vector<double> times, std::vector<double> values) {
  return Signal(std::make_shared<const TableCurve>(std::move(times), std::move(values)));
}

Signal Signal::samples(std::vector<double> times, std::vector<double> values) {
  return Signal(std::make_shared<const SampleCurve>(std::move(times), std::move(values)));
}

Signal Signal::function(std::function<double(double)> value, std::function<double(double)> rate,
                        std::function<double(double)> acceleration) {
  return Signal(std::make_shared<const FunctionCurve>(std::move(value), std::move(rate), std::move(acceleration)));
}

namespace {

template <class MakeSignal>
VectorSignal byComponents(const std::vector<Vector3>& values, const MakeSignal& make) {
  const auto component = [&](Eigen::Index index) {
    std::vector<double> numbers;
    for (const Vector3& value : values) numbers.push_back(value[index]);
    return make(std::move(numbers));
  };
  return {component(0), component(1), component(2)};
}

}  // namespace

VectorSignal VectorSignal::table(const std::vector<double>& times, const std::vector<Vector3>& values) {
  return byComponents(values, [&](std::vector<double> numbers) { return Signal::table(times, std::move(numbers)); });
}

VectorSignal VectorSignal::spline(const std::vector<double>& times, const std::vector<Vector3>& values,
                                  SplineEnds ends) {
  return byComponents(values,
                      [&](std::vector<double> numbers) { return Signal::spline(times, std::move(numbers), ends); });
}

VectorSignal VectorSignal::samples(const std::vector<double>& times, const std::vector<Vector3>& values) {
  return byComponents(values, [&](std::vector<double> numbers) { return Signal::samples(times, std::move(numbers)); });
}

}  // namespace polhode
