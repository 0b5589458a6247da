#pragma once

#include "control/control_law.h"

#include <algorithm>
#include <optional>

/// Whether a hand stands still, from samples that tremble.
///
/// Its anchor is drawn along by the samples as by a string of the length r: it stays where it is as long as they stay within r
/// of it, so that noise of that size is no motion, and a hand that moves on, however slowly, takes it along. The hand is
/// `calm` from 0 where the anchor has just moved to 1 after the time `fading` without that.
namespace polhode {

template <class Motion>
class Stillness {
 public:
  using Place = typename Motion::Place;

  Stillness(double r, double fading) : r_(r), fading_(fading) {}

  void observe(double time, const Place& place) {
    if (!anchor_) {
      anchor_ = place;
      since_ = time;
      return;
    }
    const Vector3 away = Motion::difference(place, *anchor_);
    const double distance = away.norm();
    if (distance <= r_) return;
    *anchor_ = Motion::moved(*anchor_, (1.0 - r_ / distance) * away);
    since_ = time;
  }

  /// Where it stands; a sample must have come.
  const Place& anchor() const { return *anchor_; }

  /// For how long it has stood there.
  double duration(double time) const { return time - since_; }

  double calm(double time) const {
    const double x = std::clamp(duration(time) / fading_, 0.0, 1.0);
    return x * x * (3.0 - 2.0 * x);
  }

 private:
  double r_, fading_, since_ = 0.0;
  std::optional<Place> anchor_;
};

}  // namespace polhode
