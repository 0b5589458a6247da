#pragma once

#include "polhode/analysis/observable.h"
#include "polhode/analysis/row_sink.h"
#include "polhode/analysis/simulation.h"

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
  Recorder(const Simulation& simulation, std::optional<double> every, double end, std::vector<RowSink*> sinks);

  /// Writes the first row.
  void begin(const Observation& first);

  /// After a step that ended at `now`, whose interior lies before the stepper's present time.
  void afterStep(const Observation& now, const VectorX& y);

  /// The end of the run is always recorded. Finishes the sinks.
  void finish(const Observation& last, const VectorX& y);

 private:
  double nextTime() const { return start_ + static_cast<double>(written_ + 1) * *every_; }
  void write(const Observation& observation, const VectorX& y);

  const Simulation& simulation_;
  std::optional<double> every_;
  double start_ = simulation_.stepper().time(), lastTime_ = start_;
  std::int64_t written_ = 0;
  std::vector<RowSink*> sinks_;
  std::vector<Observable> observables_;
  std::vector<double> row_;
  VectorX work_ = simulation_.stepper().state();
};

}  // namespace polhode
