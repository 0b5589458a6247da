#pragma once

#include "server/frame.h"

#include <array>
#include <optional>

namespace polhode::live {

/// Turns the clock into simulated time. What cannot be caught up with within a tenth of a second is given up, so that
/// a slow machine shows slow motion and never a growing backlog. All times are seconds; the caller reads the clock.
class Pacer {
 public:
  explicit Pacer(double now) : last_(now) {}

  /// The simulated time that is due; `reached` is how far the simulation has come.
  double due(double now, double reached, double speed);

  /// Begins anew, from `time`: after a pause, a reset, another speed.
  void restart(double now, double time);

 private:
  double last_;
  double due_ = 0.0;
};

/// Seconds of processor time that this thread has taken.
double threadProcessorTime();

/// Measures how long steps take, how much time they simulate and how much of a processor that takes.
class Stopwatch {
 public:
  struct Reading {
    double clock = 0.0, simulated = 0.0, processor = 0.0;  // seconds
  };

  void step(double now, double seconds);

  /// To be called now and then.
  void look(const Reading& reading, bool running);

  /// After a jump of the simulated time: begins with the next look.
  void restart();
  Timing timing(double now) const;

 private:
  static constexpr double window = 0.5;

  std::optional<Reading> start_;  // of the window
  double busy_ = 0.0;
  long steps_ = 0;
  Timing timing_;

  struct Second {
    long index = -1;
    double worst = 0.0;
  };
  std::array<Second, 60> minute_;
};

}  // namespace polhode::live
