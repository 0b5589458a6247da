#pragma once

#include "analysis/observable.h"
#include "polhode/analysis/run.h"

#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <string>
#include <vector>

/// What is kept of a member's run: one number for each measure.
///
///     top.position.z:end         where the run ends (the same as top.position.z)
///     top.position.z:start       at its beginning
///     top.position.z:max, :min   the extremes, over the ends of steps and points within steps that an integrator has chosen
///     top.position.z:mean, :rms  over the time, by the trapezoidal rule on the same points
///     top.position.z:drift       the largest distance from its beginning
///     joint.hip.angle=0:time     when it is that for the first time, located on the dense output
///     joint.hip.angle=0:count    how often
///     joint.hip.angle=0:period   the mean time between passages in the direction of the first
///     time, steps, energy_drift, balance_error, joint_gap   what a run's report tells (polhode/analysis/run.h)
///
/// What does not happen is not a number (NaN).
namespace polhode::ensemble {

class MeasureSet {
 public:
  /// Throws InputError with the nearest name for what cannot be observed in `sample`, or is no measure.
  MeasureSet(const std::vector<std::string>& texts, const Observation& sample);

  std::size_t size() const { return measures_.size(); }

  /// What an observation must tell.
  Detail detail() const { return detail_; }

  /// Whether what is between the beginning and the end matters.
  bool watchesSteps() const { return watchesSteps_; }

  /// What a measure watches between the beginning and the end, where it is an extreme, a mean or a drift; nothing for others.
  const Observable* watchedAlong(std::size_t measure) const;

  /// Whether a measure changes smoothly with what varies: numbers of passages and what a run's report tells do not.
  bool isSmooth(std::size_t measure) const { return how(measure) != How::count && how(measure) != How::ofRun; }

  /// What a measure speaks of; nothing where this is the run as a whole.
  const std::optional<Observable>& observable(std::size_t measure) const { return measures_[measure].observable; }

  /// Whether what happens within steps matters, and what a run's report tells.
  bool locatesPassages() const;
  bool asksForReports() const;

 private:
  friend class MeasureWatch;
  enum class How { end, start, most, least, mean, rms, drift, time, count, period, ofRun };

  struct Measure {
    How how;
    std::optional<Observable> observable{};
    double value = 0.0;  // whose passages are looked for
    double (*ofRun)(const RunResult&) = nullptr;
  };

  How how(std::size_t measure) const { return measures_[measure].how; }
  static How howOf(const std::string& text, const std::string& word, bool isPassage);

  std::vector<Measure> measures_;
  Detail detail_ = Detail::motion;
  bool watchesSteps_ = false;
};

/// Follows one member's run.
class MeasureWatch {
 public:
  /// The state at a time within the last step.
  using Within = std::function<Observation(double time)>;

  /// What is kept of the run: what the measures need, or all that was seen as well, for `changes`.
  enum class Keeps { sums, instants };

  MeasureWatch(const MeasureSet& set, const Observation& first, Keeps keeps = Keeps::sums);

  /// The next instant; `within` is asked for those before it, and behind the instant before.
  void see(const Observation& now, const Within& within);

  /// The same where somebody else reads the values: `valueOf(k)` is that of measure k, and asked where it is watched along the way
  /// (MeasureSet::watchedAlong). No passages are looked for.
  template <class ValueOf>
  void seeAlong(double now, const ValueOf& valueOf) {
    const double span = now - time_;
    if (!(span > 0.0)) return;
    for (std::size_t k = 0; k < states_.size(); ++k)
      if (set_.watchedAlong(k)) states_[k].go(valueOf(k), span);
    time_ = now;
  }

  /// What somebody else has seen of a measure's observable, from the beginning to `time`.
  struct Seen {
    double first = 0.0, last = 0.0;  // values
    double most = 0.0, least = 0.0, integral = 0.0, squares = 0.0;

    /// To the next value, so much later.
    void go(double value, double span);
  };
  void take(std::size_t measure, const Seen& seen, double time);

  /// After the last one, which may have been seen. Where the run failed nothing is known.
  std::vector<double> finish(const RunResult& result);

  /// How much a measure changes for each unit by which its observable changes at an instant.
  struct Change {
    double time, weight;
  };

  /// All of a measure (isSmooth), after the last instant, where instants were kept. An extreme changes as its observable does
  /// where it is, a mean as the mean of the changes, and a passage comes sooner by the change over the observable's rate there.
  /// Between instants an extreme is that of the parabola through the three about it. Empty where what is measured did not
  /// happen.
  std::vector<Change> changes(std::size_t measure) const;

 private:
  struct Passage {
    double time = std::numeric_limits<double>::quiet_NaN(), rate = time;  // of the observable, where instants are kept
  };
  struct State : Seen {
    Passage firstPassage, lastPassage;     // in the direction of the first
    std::int64_t passages = 0, alike = 0;  // all, and those in the direction of the first
    bool rises = false;                    // the first
    std::vector<double> values = {};       // at all instants, where they are kept
  };

  double told(const MeasureSet::Measure& measure, const State& state, const RunResult& result) const;
  void pass(State& state, const Passage& passage, bool rises) const;
  std::vector<Change> changesOfMean(const State& state, bool ofSquares) const;
  std::vector<Change> changesOfExtreme(const State& state, double extreme) const;

  const MeasureSet& set_;
  Keeps keeps_;
  double begun_, time_;
  std::vector<double> times_;  // of all instants, where they are kept
  std::vector<State> states_;
};

}  // namespace polhode::ensemble
