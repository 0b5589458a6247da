#include "model/smooth_pieces.h"

#include <algorithm>
#include <cmath>

namespace polhode {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

constexpr double restShare = 1e-9;  // of all that a signal changes by: a change below this is rest
constexpr double stepShare = 0.5;   // the same for the change within a step
constexpr int samples = 2048;       // of a signal in all, and
constexpr int fewestSamples = 64;   // within a piece

struct Stretch {
  double from, to;
};

/// A run without an end is looked at closely in its first thousand seconds, and the less closely the later.
std::vector<Stretch> windows(double from, double to) {
  std::vector<Stretch> all;
  for (double length = 1e3; to - from > 10.0 * length; length *= 10.0) {
    all.push_back({from, from + length});
    from += length;
  }
  all.push_back({from, to});
  return all;
}

/// How much a signal changes in all, as samples tell.
double variation(const Signal& signal, const std::vector<Stretch>& stretches) {
  const int count = std::clamp(static_cast<int>(samples / (stretches.size() + 1)), 4, 256);
  double least = infinity, greatest = -infinity;
  for (const Stretch& stretch : stretches)
    for (int i = 0; i <= count; ++i) {
      const double value = signal.value(stretch.from + (stretch.to - stretch.from) * i / count);
      least = std::min(least, value);
      greatest = std::max(greatest, value);
    }
  return greatest > least ? greatest - least : 0.0;
}

/// Where a signal varies by more than `rest`, within a window: what is proved to be at rest is left aside, the remainder is
/// halved and looked at again.
std::vector<Stretch> unrest(const Signal& signal, const Stretch& window, double rest, std::size_t mostStretches) {
  constexpr int mostHalvings = 40;
  std::vector<Stretch> moving = {window}, halves;
  for (int halvings = 0; halvings < mostHalvings && !moving.empty() && moving.size() < mostStretches; ++halvings) {
    halves.clear();
    for (const Stretch& stretch : moving) {
      const std::array<double, 2> range = signal.range(stretch.from, stretch.to);
      if (range[1] - range[0] <= rest) continue;
      const double middle = stretch.from + 0.5 * (stretch.to - stretch.from);
      halves.push_back({stretch.from, middle});
      halves.push_back({middle, stretch.to});
    }
    moving.swap(halves);
  }
  return moving;
}

/// The same in all windows, neighbours as one.
std::vector<Stretch> unrest(const Signal& signal, const std::vector<Stretch>& within, double rest) {
  const std::size_t mostStretches = std::max<std::size_t>(2000 / within.size(), 16);
  std::vector<Stretch> joined;
  for (const Stretch& window : within)
    for (const Stretch& stretch : unrest(signal, window, rest, mostStretches))
      if (!joined.empty() && joined.back().to == stretch.from)
        joined.back().to = stretch.to;
      else
        joined.push_back(stretch);
  return joined;
}

/// The longest step in which no sample differs from another by more than `change`; at least a 64th of a sample's step.
double stepFor(const Signal& signal, const SmoothPiece& piece, double span, double change) {
  const double from = piece.firstInstant, length = std::min(piece.lastInstant - from, 1e4);
  const int count = std::max(fewestSamples, static_cast<int>(samples * length / span));
  double before = signal.value(from), steepest = 0.0;
  for (int i = 1; i <= count; ++i) {
    const double now = signal.value(from + length * i / count);
    steepest = std::max(steepest, std::abs(now - before));
    before = now;
  }
  return steepest > 0.0 ? length / count * std::max(change / steepest, 1.0 / 64.0) : infinity;
}

/// A formula that is not defined at all times says so when it is simulated.
bool isDefined(const Signal& signal, const std::vector<Stretch>& within) {
  try {
    variation(signal, within);
    return true;
  } catch (const std::exception&) {
    return false;
  }
}

}  // namespace

std::vector<SmoothPiece> smoothPieces(const std::vector<Signal>& signals, double from, double to) {
  struct Varying {
    const Signal* signal;
    double change;  // in all
    std::vector<Stretch> where;
  };
  std::vector<SignalBreak> found;  // all at which a piece may begin
  std::vector<Varying> varying;
  for (const Signal& signal : signals) {
    if (signal.isConstant()) continue;
    std::vector<Stretch> all;  // from break to break
    for (Stretch window : windows(from, to)) {
      for (const SignalBreak& each : signal.breaks(window.from, window.to)) {
        found.push_back(each);
        all.push_back({window.from, std::nextafter(each.time, from)});
        window.from = each.time;
      }
      all.push_back(window);
    }
    if (signal.hasPoints() || !isDefined(signal, all)) continue;
    // twice, since all that samples saw may have been rest
    double change = variation(signal, all);
    std::vector<Stretch> where = unrest(signal, all, restShare * change);
    if (const double seen = variation(signal, where); seen > 2.0 * change) {
      change = seen;
      where = unrest(signal, all, restShare * change);
    }
    varying.push_back({&signal, change, std::move(where)});
  }
  const auto isEarlier = [](const SignalBreak& a, const SignalBreak& b) { return a.time < b.time; };
  std::sort(found.begin(), found.end(), isEarlier);

  // a signal begins or ceases to vary: not of interest at the ends of the run, or where it breaks anyway
  const std::vector<SignalBreak> breaks = found;
  for (const Varying& each : varying)
    for (const Stretch& stretch : each.where)
      for (const double time : {stretch.from, stretch.to}) {
        const double near = 0.01 * (stretch.to - stretch.from) + 1e-9 * (to - from);
        const auto next = std::lower_bound(breaks.begin(), breaks.end(), SignalBreak{time - near}, isEarlier);
        const bool atBreak = next != breaks.end() && next->time <= time + near;
        if (time > from && time < to && !atBreak) found.push_back({time, 3});
      }
  std::sort(found.begin(), found.end(), isEarlier);

  // times that lie within roundings of each other are one
  const double rounding = 1e-12 * std::max({std::abs(from), std::abs(to), to - from});
  std::vector<SmoothPiece> pieces = {{from, to, from, to}};
  for (const auto& [time, order] : found) {
    SmoothPiece& last = pieces.back();
    if (time - last.begin <= rounding) {
      last.firstInstant = std::max(last.firstInstant, time);
      last.breakOrder = std::min(last.breakOrder, order);
    } else if (to - time <= rounding) {
      last.lastInstant = std::min(last.lastInstant, std::nextafter(time, from));
    } else {
      last.end = time;
      last.lastInstant = std::nextafter(time, from);
      pieces.push_back({time, to, time, to, order});
    }
  }

  for (const Varying& each : varying) {
    auto stretch = each.where.begin();
    for (SmoothPiece& piece : pieces) {
      while (stretch != each.where.end() && stretch->to <= piece.begin + rounding) ++stretch;
      if (stretch == each.where.end()) break;
      if (stretch->from < piece.end - rounding)
        piece.largestStep =
            std::min(piece.largestStep, stepFor(*each.signal, piece, to - from, stepShare * each.change));
    }
  }
  return pieces;
}

}  // namespace polhode
