#pragma once

#include "integrate/archive.h"
#include "math/quaternion.h"
#include "math/rotation_maps.h"
#include "polhode/math/types.h"

/// What drives a body along a signal, for translation and for rotation alike.
///
/// A law knows of the mechanism only how the driven point (or the driven body's orientation) answers to the hand:
///
///     acceleration = mobility * force + freeAcceleration
///
/// The mobility W is 1/m for a free body, R J^-1 R^T for its rotation, and P M^-1 P^T - ... (Lipovac (2.23)) inside a
/// mechanism; it may be singular where joints do not let the point move. freeAcceleration is the one without the hand: of
/// gravity, springs, joints and gyroscopic terms at the present state. Everything is in space.
///
/// Each step from t to t + h: `observe` the samples that have come until t + h, then ask for the `force` that acts
/// throughout the step.
namespace polhode {

/// Motion of a point.
struct Translation {
  using Place = Vector3;
  static Vector3 difference(const Place& to, const Place& from) { return to - from; }
  static Place moved(const Place& from, const Vector3& by) { return from + by; }
};

/// Motion of an orientation: a unit quaternion; differences are rotation vectors in space, at most pi long.
struct Rotation {
  using Place = Quaternion;
  static Vector3 difference(const Place& to, const Place& from) {
    return logS3<double>(withPositiveScalar<double>(multiply<double>(to, conjugate<double>(from))));
  }
  static Place moved(const Place& from, const Vector3& by) { return multiply<double>(expS3<double>(by), from); }
};

/// What a signal said at a time. The velocity is zero where the signal does not tell.
template <class Motion>
struct Sample {
  double time = 0.0;
  typename Motion::Place place;
  Vector3 velocity = Vector3::Zero();
};

/// What a law sees of the driven point at the begin of a step.
template <class Motion>
struct DrivenState {
  double time = 0.0;
  double step = 0.0;  // how long the force will act
  typename Motion::Place place;
  Vector3 velocity = Vector3::Zero();
  Matrix3 mobility = Matrix3::Identity();
  Vector3 freeAcceleration = Vector3::Zero();
};

/// What a hand that is still asks of the rest of a mechanism.
struct Steadying {
  double rate = 0.0;          // at which all bodies are slowed, 1/s
  bool hasBeenStill = false;  // long enough for velocities to be taken away that joints do not let bodies follow
};

template <class Motion>
class ControlLaw {
 public:
  virtual ~ControlLaw() = default;

  /// Takes a sample; times do not decrease. The first one must come before the first force.
  virtual void observe(const Sample<Motion>& sample) = 0;

  /// The force (or torque) to apply from state.time to state.time + state.step.
  virtual Vector3 force(const DrivenState<Motion>& state) = 0;

  /// Tells a law that its last answer was not taken but this force was.
  virtual void hasPulledWith(const Vector3& /*force*/) {}

  /// Tells it after a step what work its force has done, in the balance of who steps.
  virtual void hasWorked(double /*work*/) {}

  /// What the slowing of all bodies has taken from the mechanism in that step, in joules.
  virtual void hasCalmed(double /*energy*/) {}

  /// How it wants the whole mechanism steadied, besides.
  virtual Steadying steadying(double /*time*/) const { return {}; }

  /// What it remembers, to go on later (integrate/archive.h).
  virtual void persist(Archive& archive) = 0;
};

/// The smallest force that gives an acceleration, as far as the mobility lets it: W^+ a.
Vector3 forceFor(const Vector3& acceleration, const Matrix3& mobility);

/// The force of at most `largest` whose acceleration is nearest to that one: where W^+ a is too large,
/// (W^2 + mu I)^-1 W a  with the mu > 0 that makes it just as large as allowed. So directions in which joints hardly let
/// the point move, where a force achieves little, are the first to get less of it.
Vector3 forceFor(const Vector3& acceleration, const Matrix3& mobility, double largest);

}  // namespace polhode
