#pragma once

#include "analysis/engine.h"
#include "analysis/observable.h"
#include "polhode/analysis/row_sink.h"

#include <cmath>
#include <optional>
#include <vector>

namespace polhode {

/// Makes the rows of a run, at even times through dense output or at every step, and gives each to the sinks at once. The
/// columns are the time, all observables and the multipliers.
class Recorder {
 public:
  /// More rows than this are refused: nobody reads them, and no disk holds them.
  static constexpr double mostRows = 1e9;

  /// Throws InputError where `every` asks for more than `mostRows` until `end`.
  Recorder(const Engine& engine, std::optional<double> every, double end, std::vector<RowSink*> sinks);

  /// Writes the first row; not where a run goes on that has rows already.
  void begin(const Observation& first, bool goesOn = false);

  /// Whether a step that ended at `now` makes rows.
  bool isDue(double now) const { return !sinks_.empty() && (!every_ || nextTime() <= now + 1e-12 * std::abs(now)); }

  /// After a step that ended at `now` with the state y and whose interior lies before the stepper's present time.
  void afterStep(double now, const VectorX& y);

  /// How many rows there are.
  std::int64_t rows() const { return rows_; }

  /// How far it is (integrate/archive.h).
  template <class Archive>
  void persist(Archive& archive) {
    archive(start_, lastTime_, written_, rows_);
  }

  /// The end of the run is always recorded. Finishes the sinks.
  void finish(const Observation& last, const VectorX& y);

 private:
  double nextTime() const { return start_ + static_cast<double>(written_ + 1) * *every_; }
  void write(const Observation& observation, const VectorX& y);

  const Engine& engine_;
  std::optional<double> every_;
  double start_ = engine_.stepper().time(), lastTime_ = start_;
  std::int64_t written_ = 0, rows_ = 0;  // at even times, and all
  std::vector<RowSink*> sinks_;
  std::vector<Observable> observables_;
  std::vector<double> row_;
  VectorX work_ = engine_.stepper().state();
};

}  // namespace polhode
