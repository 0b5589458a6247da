#pragma once

#include "model/smooth_pieces.h"
#include "system/mechanism.h"

#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

namespace polhode {

/// When something happens from outside, as steps need to know it: they end where a drive or a load kinks or jumps, and
/// chosen ones are no longer than what happens allows.
struct StepBreaks {
  std::vector<double> times = {};        // in order
  std::vector<SmoothPiece> pieces = {};  // within which all signals are smooth; none without signals
  double largest = std::numeric_limits<double>::infinity();  // for all steps

  /// For steps of a fixed length, which end at the breaks of the signals (system/break_times.h).
  static StepBreaks ofFixedSteps(const Mechanism& mechanism, double end);

  /// For chosen ones: they end where a signal begins to vary, too, and are at most `largest` long; where that is not given
  /// and anything depends on time, at most a fiftieth of the run.
  static StepBreaks ofChosenSteps(const Mechanism& mechanism, double end, std::optional<double> largest);

  /// The first of the times behind t, or `end` where there is none before it; by more than `margin` each.
  double next(double t, double margin, double end) const;

  /// Whether one of the times is t, but for the margin.
  bool at(double t, double margin) const;

  /// How long a step from t may be.
  double largestStep(double t) const;
};

/// Where steps of a fixed length end: on the grid begin + k h, and on the end of the run. Where something happens between two
/// points of the grid the step is divided there, and the grid goes on behind.
class StepGrid {
 public:
  StepGrid(double length, double end, StepBreaks breaks = {})
      : length_(length), end_(end), breaks_(std::move(breaks)) {}

  /// Without an end.
  explicit StepGrid(double length, StepBreaks breaks = {})
      : StepGrid(length, std::numeric_limits<double>::infinity(), std::move(breaks)) {}

  struct Step {
    double end;
    double length;  // exactly that of the grid where it is not divided
    bool onGrid;    // whether it ends there
  };

  /// The step that begins at a time.
  Step from(double time) const;

  /// A step was done.
  void take(const Step& step) { steps_ += step.onGrid; }

  /// Whether something happens then.
  bool breaksAt(double time) const { return breaks_.at(time, margin()); }

  /// The grid is counted from that time on.
  void beginAt(double time) { begin_ = time, steps_ = 0; }

  double length() const { return length_; }

  /// Where it is (archive.h).
  template <class Archive>
  void persist(Archive& archive) {
    archive(begin_, steps_);
  }

 private:
  double margin() const { return 1e-9 * length_; }

  double length_, begin_ = 0.0, end_;
  std::int64_t steps_ = 0;  // that ended on the grid
  StepBreaks breaks_;
};

}  // namespace polhode
