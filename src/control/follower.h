#pragma once

#include "control/control_law.h"
#include "polhode/model/actuator.h"

#include <memory>
#include <mutex>
#include <string>
#include <vector>

namespace polhode {

/// The methods of control, for `polhode list` and for errors.
const std::vector<std::string>& controlMethods();

/// The law of a method, for a scheme with that share of a step (RecedingHorizonSettings). Throws an InputError with the
/// nearest name for one that is unknown.
template <class Motion>
std::unique_ptr<ControlLaw<Motion>> makeControlLaw(const ControlSettings& settings, double shareOfStep = 0.0);

/// An actuator at work: its law, and what has come of its signal.
class Follower {
 public:
  /// `start` is the orientation at t = 0 (of the principal axes) that an orientation is led away from.
  explicit Follower(const Actuator& actuator, const Quaternion& start = Quaternion(1.0, 0.0, 0.0, 0.0),
                    double shareOfStep = 0.0);

  /// Lets the law observe all that the signal says until a time. Times do not decrease.
  void observeUntil(double time);

  /// A sample of a live source, from any thread. One that is older than what was observed counts as coming now.
  void push(double time, const Vector3& position);

  /// A live source lets go: the law begins anew with the next sample.
  void release();

  /// What the law remembers and how far the signal was read (integrate/archive.h).
  void persist(Archive& archive);

  /// Whether there is something to follow.
  bool holds() const { return holds_; }

  // The law, of what the actuator leads; null for the other one.
  ControlLaw<Translation>* translation() { return translation_.get(); }
  ControlLaw<Rotation>* rotation() { return rotation_.get(); }

 private:
  void makeLaw();
  void observe(const Sample<Translation>& sample);

  ControlSettings settings_;
  FollowedSignal signal_;
  LedQuantity quantity_;
  Quaternion start_;
  double shareOfStep_;
  std::unique_ptr<ControlLaw<Translation>> translation_;
  std::unique_ptr<ControlLaw<Rotation>> rotation_;
  std::size_t fed_ = 0;  // samples of a path
  double lastTime_ = 0.0;
  bool holds_ = false;

  std::mutex mutex_;
  std::vector<Sample<Translation>> pushed_, taken_;
  bool released_ = false;
};

}  // namespace polhode
