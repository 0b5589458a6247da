#pragma once

#include "control/hand.h"
#include "control/hand_law.h"
#include "system/mechanism.h"

namespace polhode {

/// The hands at a mechanism: the actuators of its model, and behind them those that take hold on the way.
class HandRack {
 public:
  /// `shareOfStep` is that of the scheme that steps (RecedingHorizonSettings). Throws InputError where a body, a joint or a
  /// coordinate is unknown.
  HandRack(const Mechanism& mechanism, const std::vector<Actuator>& actuators, double shareOfStep);

  /// A live hand that takes hold of a point of a body (in the body's own axes, from its centre of mass), as a person does.
  /// Throws InputError for an unknown method.
  Hand& grab(std::size_t body, const Vector3& point, const HandLaw& law);

  /// A live hand that turns a body whose orientation is that one now; what is pushed is the turn away from it, a rotation vector in
  /// space. Throws InputError for a body without moments of inertia, which no torque turns.
  Hand& grabOrientation(std::size_t body, const Quaternion& orientation, const HandLaw& law);

  /// A live hand that leads a coordinate of a joint, both by their numbers in the model and in the joint's type; what is pushed is
  /// the coordinate's value, as its first component. Throws InputError where there is no such coordinate.
  Hand& grabCoordinate(std::size_t joint, std::size_t coordinate, const HandLaw& law);

  /// Such a hand lets go and is no more; an actuator with a live source waits for the next sample.
  void release(Hand& hand);

  bool empty() const { return hands_.empty(); }
  bool hasActuators() const { return actuators_ > 0; }
  Hand& operator[](std::size_t number) { return *hands_[number]; }
  Hands all() const { return hands_; }

  /// Lets all laws observe what their signals say until a time.
  void observeUntil(double time);

  /// What the actuators remember (integrate/archive.h).
  void persist(Archive& archive);

 private:
  const Mechanism& mechanism_;
  double shareOfStep_;
  std::size_t actuators_;
  std::vector<std::unique_ptr<Hand>> hands_;
};

}  // namespace polhode
