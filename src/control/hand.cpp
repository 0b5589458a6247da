#include "control/hand.h"

#include <algorithm>
#include <cmath>

namespace polhode {

void Hand::observe(const Sample<Translation>& sample) {
  if (held_.quantity == LedQuantity::orientation)
    laws_.rotation->observe({sample.time, multiply<double>(expS3<double>(sample.place), held_.start),
                             expSpaceTangent<double>(sample.place) * sample.velocity});
  else
    laws_.translation->observe(sample);
  holds_ = true;
}

Sample<Translation> Hand::Parting::added(Sample<Translation> to) const {
  constexpr double handover = 0.1;  // seconds
  const double passed = to.time - since, fades = std::exp(-passed / handover);
  const Vector3 slope = rate + away / handover, left = away + passed * slope;
  to.place += fades * left;
  to.velocity += fades * (slope - left / handover);
  return to;
}

Sample<Translation> Hand::goal(double time) const {
  if (wish_) return {time, *wish_};
  if (const auto* function = std::get_if<VectorSignal>(&signal_))
    return {time, function->value(time), function->rate(time)};
  if (const auto* path = std::get_if<SampledPath>(&signal_)) {
    const std::size_t i = path->indexAt(time);
    return {time, path->position(i), path->velocity(i)};
  }
  return {time, lastPushed_};
}

Sample<Translation> Hand::followed(double time) const {
  return parted(goal(time));
}

void Hand::takeOver(double time, const std::optional<Vector3>& wish, bool atOnce) {
  const Sample<Translation> before = followed(time);
  wish_ = wish;
  const Sample<Translation> after = goal(time);
  parting_.reset();
  if (!atOnce && holds_) parting_ = Parting{before.place - after.place, before.velocity - after.velocity, time};
}

void Hand::observeUntil(double time) {
  const auto* path = std::get_if<SampledPath>(&signal_);
  if (wish_) {
    observe(followed(time));
    if (path) fed_ = path->indexAt(time) + 1;
  } else if (path) {
    for (const std::size_t last = path->indexAt(time); fed_ <= last; ++fed_)
      observe(parted({path->time(fed_), path->position(fed_), path->velocity(fed_)}));
  } else if (std::holds_alternative<VectorSignal>(signal_)) {
    observe(followed(time));
  } else {
    {
      const std::lock_guard lock(mutex_);
      taken_.swap(pushed_);
      if (released_) {
        laws_ = makeLaws_();
        holds_ = false;
        released_ = false;
      }
    }
    for (Sample<Translation>& sample : taken_) {
      sample.time = std::clamp(sample.time, lastTime_, time);
      lastPushed_ = sample.place;
      observe(sample);
      lastTime_ = sample.time;
    }
    taken_.clear();
  }
}

Steadying Hand::steadying(double time) const {
  return laws_.translation ? laws_.translation->steadying(time) : laws_.rotation->steadying(time);
}

void Hand::hasWorked(double ofForce, double ofTorque, double takenBySlowing) {
  if (laws_.translation) laws_.translation->hasWorked(ofForce);
  if (laws_.rotation) laws_.rotation->hasWorked(ofTorque);
  if (laws_.translation)
    laws_.translation->hasCalmed(takenBySlowing);
  else
    laws_.rotation->hasCalmed(takenBySlowing);
  work += ofForce + ofTorque - takenBySlowing;
}

void Hand::persist(Archive& archive) {
  archive(fed_, lastTime_, holds_, pull);
  if (laws_.translation) laws_.translation->persist(archive);
  if (laws_.rotation) laws_.rotation->persist(archive);
}

void Hand::push(double time, const Vector3& position) {
  const std::lock_guard lock(mutex_);
  pushed_.push_back({time, position});
}

void Hand::release() {
  const std::lock_guard lock(mutex_);
  pushed_.clear();
  released_ = true;
}

}  // namespace polhode
