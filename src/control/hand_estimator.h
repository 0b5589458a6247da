#pragma once

#include "control/control_law.h"

#include <algorithm>
#include <cmath>

/// Where a hand is and how fast it moves, from samples that come at any rate, with noise and jumps.
///
/// A fading-memory filter of first degree with the time constant `memory`; with D the time since the last sample,
///
///     predicted = p + v D,   e = sample - predicted,   p = predicted + (1 - theta^2) e,   v += (1 - theta)^2 e / D,
///     theta = exp(-D / memory).
///
/// An e far beyond what was usual is a jump of the tracker: the position follows it at once and the velocity stays. If the
/// next one is as far again, it was the hand: the velocity is then that between the last two samples. When no sample comes
/// for longer than two intervals the hand is taken to rest where it was.
///
/// Reference: Morrison 1969, Introduction to Sequential Smoothing and Prediction, chapter 13 (fading memory).
namespace polhode {

template <class Motion>
class HandEstimator {
 public:
  using Place = typename Motion::Place;

  explicit HandEstimator(double memory) : memory_(memory) {}

  void observe(double time, const Place& sample) {
    if (count_ == 0) {
      place_ = sample_ = sample;
      time_ = time;
      count_ = 1;
      return;
    }
    const double interval = time - time_;
    if (interval <= 0.0) {  // corrected at the same time
      place_ = sample_ = sample;
      return;
    }
    const Place predicted = Motion::moved(place_, interval * velocity_);
    const Vector3 surprise = Motion::difference(sample, predicted);
    const double size = surprise.norm();
    const double limit = jumpFactor * usualSize_;
    const bool jumps = count_ > samplesBeforeJumps && size > limit;
    if (jumps) {
      if (jumped_) velocity_ = Motion::difference(sample, sample_) / interval;
      place_ = sample;
    } else {
      const double theta = std::exp(-interval / memory_);
      place_ = Motion::moved(predicted, (1.0 - theta * theta) * surprise);
      velocity_ += (1.0 - theta) * (1.0 - theta) / interval * surprise;
    }
    jumped_ = jumps;
    usualSize_ += std::max(1.0 / count_, usualSizeRate) * ((jumps ? limit : size) - usualSize_);
    sample_ = sample;
    time_ = time;
    interval_ = interval;
    count_ = std::min(count_ + 1, 1000);
  }

  /// Takes a hand to rest from which nothing has come for long.
  void waitUntil(double time) {
    if (interval_ <= 0.0 || time <= time_ + 2.0 * interval_) return;
    const double waited = time - time_;
    if (waited > 20.0 * (interval_ + memory_)) {
      place_ = sample_;
      velocity_.setZero();
      time_ = time;
      return;
    }
    const double interval = interval_;
    while (time > time_ + 2.0 * interval) observe(time_ + interval, sample_);
  }

  /// The hand at a time near the last sample. A sample stands for the interval that it holds, so that the hand is where
  /// it says half an interval later.
  Place place(double time) const { return Motion::moved(place_, (time - time_ - interval_ / 2.0) * velocity_); }
  const Vector3& velocity() const { return velocity_; }

  template <class Archive>
  void persist(Archive& archive) {
    archive(place_, sample_, velocity_, time_, interval_, usualSize_, count_, jumped_);
  }

 private:
  static constexpr double jumpFactor = 6.0;     // times the usual surprise
  static constexpr double usualSizeRate = 0.1;  // how fast what is usual changes, per sample
  static constexpr int samplesBeforeJumps = 3;  // until then nothing is known to be usual

  double memory_;
  Place place_, sample_;
  Vector3 velocity_ = Vector3::Zero();
  double time_ = 0.0, interval_ = 0.0, usualSize_ = 0.0;
  int count_ = 0;
  bool jumped_ = false;
};

}  // namespace polhode
