#include "ensemble/measure.h"

#include "integrate/event.h"
#include "model/suggestion.h"
#include "polhode/error.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace polhode::ensemble {

namespace {

struct RunMeasure {
  const char* name;
  double (*value)(const RunResult&);
};

constexpr RunMeasure runMeasures[] = {
    {"time", [](const RunResult& r) { return r.final.time; }},
    {"steps", [](const RunResult& r) { return static_cast<double>(r.work.steps); }},
    {"energy_drift", [](const RunResult& r) { return r.energyDrift; }},
    {"balance_error", [](const RunResult& r) { return r.balanceError; }},
    {"joint_gap", [](const RunResult& r) { return r.positionViolation; }},
};

const std::vector<std::string> valueWords = {"end", "start", "max", "min", "mean", "rms", "drift"};
const std::vector<std::string> passageWords = {"time", "count", "period"};

/// How fast a function passes a time between two others: the slope of the parabola through three points about it.
double rateAt(double time, double left, double right, const std::function<double(double)>& valueAt) {
  const double aside = 1e-3 * (right - left);
  const double l = std::max(left, time - aside), r = std::min(right, time + aside);
  const double atLeft = valueAt(l), atRight = valueAt(r), bend = atLeft - 2.0 * valueAt(0.5 * (l + r)) + atRight;
  return ((atRight - atLeft) + 2.0 * bend * (2.0 * time - l - r) / (r - l)) / (r - l);
}

}  // namespace

MeasureSet::How MeasureSet::howOf(const std::string& text, const std::string& word, bool isPassage) {
  const std::vector<std::string>& words = isPassage ? passageWords : valueWords;
  const auto found = std::find(words.begin(), words.end(), word);
  if (found == words.end())
    throw InputError(fmt::format("--measure {} ends with {}; {}", quoted(text), quoted(word), suggestion(word, words)));
  const auto number = static_cast<std::size_t>(found - words.begin());
  return static_cast<How>(number + (isPassage ? static_cast<std::size_t>(How::time) : 0));
}

MeasureSet::MeasureSet(const std::vector<std::string>& texts, const Observation& sample) {
  std::vector<std::string> names;
  for (const RunMeasure& each : runMeasures) names.push_back(each.name);
  for (const Observable& each : observables(sample)) names.push_back(each.name);
  for (const std::string& text : texts) {
    const std::size_t colon = text.rfind(':'), equals = text.find('=');
    const std::string name = text.substr(0, std::min(colon, equals));
    Measure measure{How::ofRun};
    if (colon == std::string::npos && equals == std::string::npos)
      for (const RunMeasure& each : runMeasures)
        if (name == each.name) measure.ofRun = each.value;
    if (!measure.ofRun) {
      const bool isPassage = equals != std::string::npos;
      const std::string word = colon == std::string::npos ? (isPassage ? "time" : "end") : text.substr(colon + 1);
      measure.how = howOf(text, word, isPassage);
      if (std::find(names.begin(), names.end(), name) == names.end())
        throw InputError(fmt::format("--measure {} speaks of {}, which cannot be observed; {}", quoted(text),
                                     quoted(name), suggestion(name, names)));
      const Condition condition =
          parseCondition(isPassage ? text.substr(0, std::min(colon, text.size())) : name + "=0", sample);
      measure.observable = condition.observable;
      measure.value = condition.value;
      if (condition.observable.detail == Detail::forces) detail_ = Detail::forces;
      if (measure.how != How::end && measure.how != How::start) watchesSteps_ = true;
    }
    measures_.push_back(std::move(measure));
  }
}

const Observable* MeasureSet::watchedAlong(std::size_t measure) const {
  const Measure& each = measures_[measure];
  const bool isAlong = each.how >= How::most && each.how <= How::drift;
  return isAlong ? &*each.observable : nullptr;
}

bool MeasureSet::locatesPassages() const {
  return std::any_of(measures_.begin(), measures_.end(), [](const Measure& measure) {
    return measure.how == How::time || measure.how == How::count || measure.how == How::period;
  });
}

bool MeasureSet::asksForReports() const {
  return std::any_of(measures_.begin(), measures_.end(),
                     [](const Measure& measure) { return measure.how == How::ofRun; });
}

MeasureWatch::MeasureWatch(const MeasureSet& set, const Observation& first, Keeps keeps)
    : set_(set), keeps_(keeps), begun_(first.time), time_(first.time), states_(set.size()) {
  if (keeps_ == Keeps::instants) times_.push_back(begun_);
  for (std::size_t i = 0; i < states_.size(); ++i) {
    if (!set_.measures_[i].observable) continue;
    State& state = states_[i];
    state.first = state.last = state.most = state.least = set_.measures_[i].observable->value(first);
    if (keeps_ == Keeps::instants) state.values.push_back(state.first);
  }
}

void MeasureWatch::Seen::go(double value, double span) {
  most = std::max(most, value);
  least = std::min(least, value);
  integral += 0.5 * span * (last + value);
  squares += 0.5 * span * (last * last + value * value);
  last = value;
}

void MeasureWatch::see(const Observation& now, const Within& within) {
  const double before = time_, span = now.time - before;
  if (!(span > 0.0)) return;
  for (std::size_t i = 0; i < states_.size(); ++i) {
    const MeasureSet::Measure& measure = set_.measures_[i];
    if (!measure.observable) continue;
    State& state = states_[i];
    const double last = state.last, value = measure.observable->value(now);
    state.go(value, span);
    if (keeps_ == Keeps::instants) state.values.push_back(value);
    if (measure.how < MeasureSet::How::time) continue;
    // a zero at the very start is no passage
    const double atLeft = last - measure.value, atRight = value - measure.value;
    if (atLeft == 0.0 || (atLeft < 0.0) == (atRight < 0.0)) continue;
    const auto beyond = [&](double t) { return measure.observable->value(within(t)) - measure.value; };
    Passage passage{signChange(before, now.time, atLeft, atRight, beyond)};
    if (keeps_ == Keeps::instants) passage.rate = rateAt(passage.time, before, now.time, beyond);
    pass(state, passage, atLeft < 0.0);
  }
  time_ = now.time;
  if (keeps_ == Keeps::instants) times_.push_back(time_);
}

void MeasureWatch::take(std::size_t measure, const Seen& seen, double time) {
  static_cast<Seen&>(states_[measure]) = seen;
  time_ = time;
}

void MeasureWatch::pass(State& state, const Passage& passage, bool rises) const {
  ++state.passages;
  if (state.passages == 1) {
    state.firstPassage = passage;
    state.rises = rises;
  }
  if (rises != state.rises) return;
  ++state.alike;
  state.lastPassage = passage;
}

/// By the trapezoidal rule: the mean of the changes; and that of the root of the mean square, each change times its value.
std::vector<MeasureWatch::Change> MeasureWatch::changesOfMean(const State& state, bool ofSquares) const {
  const double span = time_ - begun_;
  if (!(span > 0.0)) return {{begun_, 1.0}};
  const double root = std::sqrt(state.squares / span);
  std::vector<Change> changes;
  for (std::size_t i = 0; i < times_.size(); ++i) {
    const double before = i > 0 ? times_[i - 1] : times_[i], after = i + 1 < times_.size() ? times_[i + 1] : times_[i];
    changes.push_back({times_[i], 0.5 * (after - before) / span * (ofSquares ? state.values[i] / root : 1.0)});
  }
  return changes;
}

/// The largest value of the parabola through three points changes as these do, each times its Lagrange polynomial there.
std::vector<MeasureWatch::Change> MeasureWatch::changesOfExtreme(const State& state, double extreme) const {
  const std::vector<double>& x = state.values;
  const auto i = static_cast<std::size_t>(std::find(x.begin(), x.end(), extreme) - x.begin());
  if (i == 0 || i + 1 >= x.size()) return {{times_[std::min(i, x.size() - 1)], 1.0}};
  const double a = times_[i - 1], b = times_[i], c = times_[i + 1];
  const double rising = (x[i] - x[i - 1]) / (b - a), falling = (x[i + 1] - x[i]) / (c - b);
  if (rising == falling) return {{b, 1.0}};
  const double t = std::clamp(0.5 * (a + b) + 0.5 * rising * (c - a) / (rising - falling), a, c);
  return {{a, (t - b) * (t - c) / ((a - b) * (a - c))},
          {b, (t - a) * (t - c) / ((b - a) * (b - c))},
          {c, (t - a) * (t - b) / ((c - a) * (c - b))}};
}

std::vector<MeasureWatch::Change> MeasureWatch::changes(std::size_t measure) const {
  using How = MeasureSet::How;
  const State& state = states_[measure];
  const auto sooner = [](const Passage& passage) { return Change{passage.time, -1.0 / passage.rate}; };
  switch (set_.how(measure)) {
    case How::end:
      return {{time_, 1.0}};
    case How::start:
      return {{begun_, 1.0}};
    case How::most:
      return changesOfExtreme(state, state.most);
    case How::least:
      return changesOfExtreme(state, state.least);
    case How::mean:
      return changesOfMean(state, false);
    case How::rms:
      return changesOfMean(state, true);
    case How::drift: {
      const bool isUp = state.most - state.first >= state.first - state.least;
      std::vector<Change> changes = changesOfExtreme(state, isUp ? state.most : state.least);
      changes.push_back({begun_, -1.0});
      if (!isUp)
        for (Change& change : changes) change.weight = -change.weight;
      return changes;
    }
    case How::time:
      if (state.passages == 0) return {};
      return {sooner(state.firstPassage)};
    case How::period: {
      if (state.alike < 2) return {};
      const Change first = sooner(state.firstPassage), last = sooner(state.lastPassage);
      const double periods = static_cast<double>(state.alike - 1);
      return {{last.time, last.weight / periods}, {first.time, -first.weight / periods}};
    }
    case How::count:
    case How::ofRun:
      break;
  }
  return {};
}

std::vector<double> MeasureWatch::finish(const RunResult& result) {
  std::vector<double> values;
  for (std::size_t i = 0; i < states_.size(); ++i) values.push_back(told(set_.measures_[i], states_[i], result));
  return values;
}

double MeasureWatch::told(const MeasureSet::Measure& measure, const State& state, const RunResult& result) const {
  using How = MeasureSet::How;
  const double span = time_ - begun_;
  switch (measure.how) {
    case How::end:
      return measure.observable->value(result.final);
    case How::start:
      return state.first;
    case How::most:
      return state.most;
    case How::least:
      return state.least;
    case How::mean:
      return span > 0.0 ? state.integral / span : state.first;
    case How::rms:
      return std::sqrt(span > 0.0 ? state.squares / span : state.first * state.first);
    case How::drift:
      return std::max(state.most - state.first, state.first - state.least);
    case How::time:
      return state.firstPassage.time;
    case How::count:
      return static_cast<double>(state.passages);
    case How::period:
      return state.alike > 1 ? (state.lastPassage.time - state.firstPassage.time) / static_cast<double>(state.alike - 1)
                             : std::numeric_limits<double>::quiet_NaN();
    case How::ofRun:
      break;
  }
  return measure.ofRun(result);
}

}  // namespace polhode::ensemble
