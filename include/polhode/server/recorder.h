#pragma once

#include "polhode/analysis/observable.h"
#include "polhode/analysis/recording.h"
#include "polhode/server/frame.h"

namespace polhode::live {

/// Keeps what happens at even times: everything that can be observed, and the hand's force and body (-1 for none).
class Recorder {
 public:
  explicit Recorder(double every) : every_(every) {}

  void begin(const Observation& first);

  /// The next time that is to be kept.
  double nextTime() const { return start_ + static_cast<double>(recording_.rows()) * every_; }
  void keep(const Observation& observation, const std::optional<Pulled>& pulled);

  bool isOn() const { return on_; }
  bool isFull() const { return recording_.values.size() >= mostNumbers; }
  const Recording& recording() const { return recording_; }

  /// What was kept; nothing is kept after that.
  Recording finish();

 private:
  static constexpr std::size_t mostNumbers = 32'000'000;  // a quarter of a gigabyte

  double every_;
  double start_ = 0.0;
  bool on_ = false;
  std::vector<Observable> observables_;
  Recording recording_;
  std::vector<double> row_;
};

}  // namespace polhode::live
