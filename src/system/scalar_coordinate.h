#pragma once

#include "polhode/model/joint_type.h"
#include "polhode/system/force_element.h"

/// Scalar coordinates between two bodies that forces act along: a length, a displacement or an angle. Each is a function
/// of forms, at most quadratic in (x, D), and so has an exact discrete gradient over a step z0 -> z1, which is a sum of
/// the forms' gradients at the mean placements (D0 + D1)/2:
///
///     displacement   s = Q              grad Q
///     length         s = sqrt(Q)        grad Q / (s0 + s1)
///     angle          s = atan2(S, C)    k (Cm grad S - Sm grad C),    k = ds/(C0 S1 - S0 C1),  ds = s1 - s0
///
/// with Cm, Sm the means of the end values: Cm (S1 - S0) - Sm (C1 - C0) = C0 S1 - S0 C1 = |.|0 |.|1 sin ds. So the work
/// f grad . (z1 - z0) of a force f along s is f (s1 - s0) to round-off.
namespace polhode {

/// A pull on both bodies: (force, torque) on the first and on the second, as in ElementWrenches.
template <class Scalar>
using PullOf = Eigen::Matrix<Scalar, 12, 1>;
using Pull = PullOf<double>;

/// What a form's gradient is in terms of moves and turns of both bodies; at mean placements the discrete gradient.
template <class Scalar>
PullOf<Scalar> pullOf(const Form& form, const PlacementOf<Scalar>& first, const PlacementOf<Scalar>& second);

/// The derivative of pullOf(form, mean, mean) by where the step ends.
ElementJacobian meanPullJacobian(const Form& form, const ElementStep& step);

/// A coordinate over a step: s0, s1 (an angle goes on from s0 without a jump), and the discrete gradient.
struct CoordinateStep {
  double before = 0.0, after = 0.0;
  Pull gradient = Pull::Zero();
};

class ScalarCoordinate {
 public:
  enum class Kind { length, displacement, angle };

  /// The distance of two points, each fixed in its body.
  static ScalarCoordinate length(const Vector3& firstPoint, const Vector3& secondPoint);

  /// How far the second point is from the first along an axis of the first body.
  static ScalarCoordinate displacement(const Vector3& firstAxis, const Vector3& firstPoint, const Vector3& secondPoint);

  /// The angle from `zero` (in the first body) to `pointer` (in the second), seen in the plane of `zero` and `quarter`,
  /// between -pi and pi.
  static ScalarCoordinate angle(const Vector3& zero, const Vector3& quarter, const Vector3& pointer);

  /// A coordinate of a joint.
  static ScalarCoordinate ofJoint(const JointGeometry& geometry, const JointCoordinateInfo& coordinate);

  template <class Scalar>
  Scalar value(const PlacementOf<Scalar>& first, const PlacementOf<Scalar>& second) const;
  template <class Scalar>
  PullOf<Scalar> gradient(const PlacementOf<Scalar>& first, const PlacementOf<Scalar>& second) const;

  /// Whether it is the length between two points that coincide: it has no direction there.
  template <class Scalar>
  bool isPoint(const PlacementOf<Scalar>& first, const PlacementOf<Scalar>& second) const {
    return kind_ == Kind::length && form_.value(first, second) == Scalar(0.0);
  }

  /// s grad s of a length, which has a direction also where s is zero.
  template <class Scalar>
  PullOf<Scalar> lengthTimesGradient(const PlacementOf<Scalar>& first, const PlacementOf<Scalar>& second) const {
    return 0.5 * pullOf(form_, first, second);
  }

  /// The same on the level of directors, so that s' is what it is along z', and s'' along z'' with the curvature added.
  template <class Scalar>
  FormGradientOf<Scalar> slope(const PlacementOf<Scalar>& first, const PlacementOf<Scalar>& second) const;
  template <class Scalar>
  Scalar curvature(const MovingPlacementOf<Scalar>& first, const MovingPlacementOf<Scalar>& second) const;

  CoordinateStep step(const ElementStep& step) const;

  /// The derivative of the discrete gradient by where the step ends.
  ElementJacobian gradientJacobian(const ElementStep& step) const;

  /// What it is made of: the squared length, the displacement, or the sine and the cosine of an angle.
  Kind kind() const { return kind_; }
  const Form& form() const { return form_; }
  const Form& cosine() const { return cosine_; }

 private:
  ScalarCoordinate(Kind kind, const Form& form, const Form& cosine = {}) : kind_(kind), form_(form), cosine_(cosine) {}

  Kind kind_;
  Form form_;    // the squared length, the displacement, the sine
  Form cosine_;  // of an angle
};

/// How fast a coordinate changes where both bodies move like this, from its gradient.
template <class Scalar>
Scalar rateAlong(const PullOf<Scalar>& gradient, const MovingPlacementOf<Scalar>& first,
                 const MovingPlacementOf<Scalar>& second);

}  // namespace polhode
