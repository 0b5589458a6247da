#include "polhode/server/stopwatch.h"

#include <algorithm>
#include <cmath>

namespace polhode::live {

namespace {

constexpr double longestCatchUp = 0.1;  // seconds of the clock

}  // namespace

double Pacer::due(double now, double reached, double speed) {
  const double elapsed = std::max(0.0, now - last_);
  last_ = now;
  due_ = std::min(due_ + speed * elapsed, reached + speed * longestCatchUp);
  return due_;
}

void Pacer::restart(double now, double time) {
  last_ = now;
  due_ = time;
}

void Stopwatch::step(double now, double seconds) {
  busy_ += seconds;
  ++steps_;
  const auto index = static_cast<long>(std::floor(now));
  Second& second = minute_[static_cast<std::size_t>(index) % minute_.size()];
  if (second.index != index) second = {index, 0.0};
  second.worst = std::max(second.worst, seconds);
}

void Stopwatch::look(double now, double simulated, bool running) {
  const double elapsed = now - windowStart_;
  if (elapsed < window) return;
  timing_.realTimeFactor = running ? (simulated - simulatedStart_) / elapsed : 0.0;
  timing_.load = busy_ / elapsed;
  if (steps_ > 0) timing_.meanStep = busy_ / static_cast<double>(steps_);
  restart(now, simulated);
}

void Stopwatch::restart(double now, double simulated) {
  windowStart_ = now;
  simulatedStart_ = simulated;
  busy_ = 0.0;
  steps_ = 0;
}

Timing Stopwatch::timing(double now) const {
  Timing result = timing_;
  const auto last = static_cast<long>(std::floor(now));
  for (const Second& second : minute_)
    if (second.index > last - static_cast<long>(minute_.size()))
      result.worstStep = std::max(result.worstStep, second.worst);
  return result;
}

}  // namespace polhode::live
