#pragma once

#include "analysis/observable.h"
#include "polhode/analysis/row_sink.h"
#include "server/frame.h"

namespace polhode::live {

/// Keeps what happens at even times: everything that can be observed, and the hand's force, torque and body (-1 for none). The rows
/// go to whoever is named when it begins.
class Recorder {
 public:
  explicit Recorder(double every) : every_(every) {}

  void begin(const Observation& first, RowSink& rows);

  /// The next time that is to be kept.
  double nextTime() const { return start_ + static_cast<double>(rows_) * every_; }
  void keep(const Observation& observation, const std::optional<Pulled>& pulled);

  bool isOn() const { return sink_; }
  std::size_t rows() const { return rows_; }

  /// Nothing is kept after that.
  void finish() { sink_ = nullptr; }

 private:
  double every_;
  double start_ = 0.0;
  std::size_t rows_ = 0;
  RowSink* sink_ = nullptr;  // null while it is off
  std::vector<Observable> observables_;
  std::vector<double> row_;
};

}  // namespace polhode::live
