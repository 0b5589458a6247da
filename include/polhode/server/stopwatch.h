#pragma once

#include "polhode/server/frame.h"

#include <array>

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

/// Measures how long steps take and how much time they simulate.
class Stopwatch {
 public:
  explicit Stopwatch(double now) : windowStart_(now) {}

  void step(double now, double seconds);

  /// To be called now and then with the simulated time.
  void look(double now, double simulated, bool running);

  void restart(double now, double simulated);
  Timing timing(double now) const;

 private:
  static constexpr double window = 0.5;

  double windowStart_, simulatedStart_ = 0.0;
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
