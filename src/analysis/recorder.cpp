#include "analysis/recorder.h"

#include "polhode/error.h"

#include <cmath>

#include <fmt/format.h>

namespace polhode {

Recorder::Recorder(const Engine& engine, std::optional<double> every, double end, std::vector<RowSink*> sinks)
    : engine_(engine), every_(every), sinks_(std::move(sinks)) {
  if (!sinks_.empty() && every_ && !(*every_ * mostRows >= end - start_))
    throw InputError(fmt::format("output every {:g} s until t = {:g} makes more than {:g} rows; choose {:g} s or more",
                                 *every_, end, mostRows, (end - start_) / mostRows));
}

void Recorder::begin(const Observation& first, bool goesOn) {
  if (sinks_.empty()) return;
  observables_ = observables(first);
  std::vector<std::string> columns{"time"};
  for (const Observable& o : observables_) columns.push_back(o.name);
  const VectorX& y = engine_.stepper().state();
  for (int i = 0; i < engine_.multipliers(first.time, y).size(); ++i)
    columns.push_back(fmt::format("multiplier.{}", i + 1));
  row_.resize(columns.size());
  for (RowSink* sink : sinks_) sink->begin(columns);
  if (!goesOn) write(first, y);
}

void Recorder::afterStep(double now, const VectorX& y) {
  if (sinks_.empty()) return;
  if (!every_) return write(engine_.observe(now, y), y);
  for (double t = nextTime(); t < now * (1.0 - 1e-14); t = nextTime()) {
    engine_.stepper().interpolate(t, work_);
    ++written_;
    write(engine_.observe(t, work_), work_);
  }
  if (std::abs(nextTime() - now) <= 1e-12 * std::abs(now)) {
    ++written_;
    write(engine_.observe(now, y), y);
  }
}

void Recorder::finish(const Observation& last, const VectorX& y) {
  if (row_.empty()) return;
  if (lastTime_ != last.time) write(last, y);
  for (RowSink* sink : sinks_) sink->finish();
}

void Recorder::write(const Observation& observation, const VectorX& y) {
  row_[0] = lastTime_ = observation.time;
  std::size_t next = 1;
  for (const Observable& o : observables_) row_[next++] = o.value(observation);
  if (next < row_.size())
    for (const double multiplier : engine_.multipliers(observation.time, y)) row_[next++] = multiplier;
  ++rows_;
  for (RowSink* sink : sinks_) sink->append(row_);
}

}  // namespace polhode
