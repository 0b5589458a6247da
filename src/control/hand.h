#pragma once

#include "control/control_law.h"
#include "polhode/model/actuator.h"
#include "polhode/system/force_element.h"

#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <vector>

namespace polhode {

/// What a hand holds of a mechanism: a point of a body, the body's orientation, or a coordinate of a joint.
struct Held {
  LedQuantity quantity = LedQuantity::point;
  int body = 0;
  Vector3 point = Vector3::Zero();       // from the centre of mass, along the principal axes
  Quaternion start{1.0, 0.0, 0.0, 0.0};  // of the principal axes: an orientation is led away from this one
  int joint = -1;                        // in place of a body
  std::size_t coordinate = 0;            // among those of the joint's type
};

/// The laws by which a hand leads what it holds: the point, or the coordinate as its first component, and the body's
/// orientation. One that is not there leaves it alone.
struct HandLaws {
  std::unique_ptr<ControlLaw<Translation>> translation;
  std::unique_ptr<ControlLaw<Rotation>> rotation;
};

/// A hand: an actuator of the model, somebody at the page, or a program. It holds something, and its laws lead this along
/// a signal: samples of a device, functions of time, or what is pushed while the simulation runs. Engines that take hands
/// (HandRack) let it observe its signal before each step and tell it what it pulls with throughout that step.
class Hand {
 public:
  /// `makeLaws` is asked again where a live source lets go and comes back.
  Hand(const Held& held, FollowedSignal signal, std::function<HandLaws()> makeLaws, bool isPersons = false)
      : held_(held),
        signal_(std::move(signal)),
        makeLaws_(std::move(makeLaws)),
        laws_(makeLaws_()),
        isPersons_(isPersons) {}

  const Held& held() const { return held_; }
  bool isPersons() const { return isPersons_; }  // who took hold on the way (HandRack::grab)
  bool isLive() const { return std::holds_alternative<LiveSource>(signal_); }

  /// Whether there is something to follow; until then what it holds is left alone.
  bool holds() const { return holds_; }

  /// Lets the law observe all that the signal says until a time. Times do not decrease.
  void observeUntil(double time);

  /// The same for one sample. An orientation is given as the turn away from its start, a rotation vector.
  void observe(const Sample<Translation>& sample);

  /// A sample of a live source, from any thread. One that is older than what was observed counts as coming now.
  void push(double time, const Vector3& position);

  /// A live source lets go: the law begins anew with the next sample.
  void release();

  /// From `time` on somebody leads it to `wish` in place of its signal, or with none its signal leads it again. What it follows goes
  /// over from the one to the other without a jump, within some tenths of a second; `atOnce` where it has done so before.
  void takeOver(double time, const std::optional<Vector3>& wish, bool atOnce = false);

  /// What it follows at a time: its signal, or what somebody wishes.
  Sample<Translation> followed(double time) const;

  const HandLaws& laws() const { return laws_; }

  /// As ControlLaw::steadying.
  Steadying steadying(double time) const;

  /// Tells its laws what work its force and its torque have done in a step, and what the slowing of all bodies has taken.
  void hasWorked(double ofForce, double ofTorque, double takenBySlowing);

  /// What it pulls with in the present step, or pulled with in the last: a force at its point, and a torque; of a joint the
  /// first component of the force is along its coordinate.
  Wrench pull;

  /// The energy that it has given so far, in joules, as the engine has it in its balance. Of a person's hand only.
  double work = 0.0;

  /// What the laws remember and how far the signal was read (integrate/archive.h).
  void persist(Archive& archive);

 private:
  /// What is left of what it followed before, which dies away as a critically damped spring does.
  struct Parting {
    Vector3 away, rate;
    double since;
    Sample<Translation> added(Sample<Translation> to) const;
  };
  Sample<Translation> goal(double time) const;
  Sample<Translation> parted(const Sample<Translation>& goal) const { return parting_ ? parting_->added(goal) : goal; }

  Held held_;
  FollowedSignal signal_;
  std::function<HandLaws()> makeLaws_;
  HandLaws laws_;
  std::size_t fed_ = 0;  // samples of a path
  double lastTime_ = 0.0;
  bool holds_ = false, isPersons_;
  Vector3 lastPushed_ = Vector3::Zero();
  std::optional<Vector3> wish_;
  std::optional<Parting> parting_;

  std::mutex mutex_;
  std::vector<Sample<Translation>> pushed_, taken_;
  bool released_ = false;
};

/// All hands at a mechanism.
using Hands = std::span<const std::unique_ptr<Hand>>;

}  // namespace polhode
