#include "server/recorder.h"

namespace polhode::live {

void Recorder::begin(const Observation& first, RowSink& rows) {
  observables_ = observables(first);
  std::vector<std::string> columns = {"time"};
  for (const Observable& observable : observables_) columns.push_back(observable.name);
  for (const char* name :
       {"hand.body", "hand.force.x", "hand.force.y", "hand.force.z", "hand.torque.x", "hand.torque.y", "hand.torque.z"})
    columns.push_back(name);
  start_ = first.time;
  rows_ = 0;
  sink_ = &rows;
  rows.begin(columns);
}

void Recorder::keep(const Observation& observation, const std::optional<Pulled>& pulled) {
  row_.clear();
  row_.push_back(observation.time);
  for (const Observable& observable : observables_) row_.push_back(observable.value(observation));
  row_.push_back(pulled ? static_cast<double>(pulled->body) : -1.0);
  for (int i = 0; i < 3; ++i) row_.push_back(pulled ? pulled->force[i] : 0.0);
  for (int i = 0; i < 3; ++i) row_.push_back(pulled ? pulled->torque[i] : 0.0);
  ++rows_;
  sink_->append(row_);
}

}  // namespace polhode::live
