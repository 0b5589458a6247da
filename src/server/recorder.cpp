#include "polhode/server/recorder.h"

#include <utility>

namespace polhode::live {

void Recorder::begin(const Observation& first) {
  observables_ = observables(first);
  recording_ = {};
  recording_.columns.push_back("time");
  for (const Observable& observable : observables_) recording_.columns.push_back(observable.name);
  for (const char* name : {"hand.body", "hand.force.x", "hand.force.y", "hand.force.z"})
    recording_.columns.push_back(name);
  start_ = first.time;
  on_ = true;
}

void Recorder::keep(const Observation& observation, const std::optional<Pulled>& pulled) {
  row_.clear();
  row_.push_back(observation.time);
  for (const Observable& observable : observables_) row_.push_back(observable.value(observation));
  row_.push_back(pulled ? static_cast<double>(pulled->body) : -1.0);
  for (int i = 0; i < 3; ++i) row_.push_back(pulled ? pulled->force[i] : 0.0);
  recording_.append(row_);
}

Recording Recorder::finish() {
  on_ = false;
  return std::exchange(recording_, {});
}

}  // namespace polhode::live
