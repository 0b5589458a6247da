#include "control/hand.h"

#include <algorithm>

namespace polhode {

void Hand::observe(const Sample<Translation>& sample) {
  if (held_.quantity == LedQuantity::orientation)
    laws_.rotation->observe({sample.time, multiply<double>(expS3<double>(sample.place), held_.start),
                             expSpaceTangent<double>(sample.place) * sample.velocity});
  else
    laws_.translation->observe(sample);
  holds_ = true;
}

void Hand::observeUntil(double time) {
  if (const auto* path = std::get_if<SampledPath>(&signal_)) {
    for (const std::size_t last = path->indexAt(time); fed_ <= last; ++fed_)
      observe({path->time(fed_), path->position(fed_), path->velocity(fed_)});
  } else if (const auto* function = std::get_if<VectorSignal>(&signal_)) {
    observe({time, function->value(time), function->rate(time)});
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
      observe(sample);
      lastTime_ = sample.time;
    }
    taken_.clear();
  }
}

double Hand::steadying(double time) const {
  return laws_.translation ? laws_.translation->steadying(time) : laws_.rotation->steadying(time);
}

void Hand::hasWorked(double ofForce, double ofTorque) {
  if (laws_.translation) laws_.translation->hasWorked(ofForce);
  if (laws_.rotation) laws_.rotation->hasWorked(ofTorque);
  work += ofForce + ofTorque;
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
