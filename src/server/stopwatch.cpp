#include "server/stopwatch.h"

#include <algorithm>
#include <cmath>
#include <ctime>

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

double threadProcessorTime() {
  timespec time{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

void Stopwatch::step(double now, double seconds) {
  busy_ += seconds;
  ++steps_;
  const auto index = static_cast<long>(std::floor(now));
  Second& second = minute_[static_cast<std::size_t>(index) % minute_.size()];
  if (second.index != index) second = {index, 0.0};
  second.worst = std::max(second.worst, seconds);
}

void Stopwatch::look(const Reading& reading, bool running) {
  if (!start_) start_ = reading;
  const double elapsed = reading.clock - start_->clock;
  if (elapsed < window) return;
  timing_.realTimeFactor = running ? (reading.simulated - start_->simulated) / elapsed : 0.0;
  timing_.load = (reading.processor - start_->processor) / elapsed;
  if (steps_ > 0) timing_.meanStep = busy_ / static_cast<double>(steps_);
  restart();
  start_ = reading;
}

void Stopwatch::restart() {
  start_.reset();
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
