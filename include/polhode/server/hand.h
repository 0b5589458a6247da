#pragma once

#include "polhode/control/receding_horizon.h"
#include "polhode/model/model.h"

namespace polhode::live {

/// How a hand pulls, in units that people understand.
struct HandLaw {
  double timeConstant = 0.06;   // seconds
  double largestForce = 100.0;  // newtons
};

/// A hand that has taken hold of a body: the pointer's samples are the signal, and the receding-horizon law moves the
/// point that is held to where the hand is. The law takes the body for a free one; what joints add shows as a deviation,
/// which it then works against.
class Hand {
 public:
  /// `point` is in the body frame, `target` in space.
  Hand(std::size_t body, const Vector3& point, const Vector3& target, const HandLaw& law);

  std::size_t body() const { return body_; }
  const Vector3& point() const { return point_; }
  const Vector3& target() const { return target_; }

  void moveTo(double time, const Vector3& target);
  void follow(const HandLaw& law);

  Vector3 pointInSpace(const Body& state) const;

  /// The force for a step that begins at `time`.
  Vector3 force(const Body& state, double time, double step, const Vector3& gravity);

 private:
  static RecedingHorizonLaw<Translation> makeLaw(const HandLaw& law);

  std::size_t body_;
  Vector3 point_, target_;
  RecedingHorizonLaw<Translation> law_;
  bool isFirst_ = true;
};

/// The acceleration of a free body's point that a force of one newton gives it: 1/m - r^ J^-1 r^, in space.
Matrix3 pointMobility(const Body& state, const Vector3& point);

}  // namespace polhode::live
