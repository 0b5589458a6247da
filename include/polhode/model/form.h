#pragma once

#include "polhode/model/placement.h"

/// What joints and forces are made of: scalar functions of the placements of two bodies that are at most quadratic in
/// (x, D), so that their second derivative is constant and their gradient at the mean of two placements is an exact
/// discrete gradient:  s(z1) - s(z0) = grad s((z0 + z1)/2) . (z1 - z0).
namespace polhode {

/// The derivative of a scalar with respect to one body: ds = onPosition . dx + onDirectors . (dD arm). So it pulls with
/// `onPosition` at the centre of mass and with `onDirectors` at the end of the body-fixed `arm`.
struct EndGradient {
  Vector3 onPosition = Vector3::Zero();
  Vector3 onDirectors = Vector3::Zero();
  Vector3 arm = Vector3::Zero();

  /// The derivative with respect to a turn of the body, in space: sum_i d_i cross ds/dd_i.
  Vector3 onRotation(const Matrix3& D) const { return (D * arm).cross(onDirectors); }

  /// ds along a rate of the placement.
  double along(const PlacementRate& rate) const { return onPosition.dot(rate.v) + onDirectors.dot(rate.W * arm); }
};

struct FormGradient {
  EndGradient first, second;
};

enum class FormKind {
  point,           // a . r,            r = second.point(secondPoint) - first.point(firstPoint), a a direction in space
  axes,            // (D1 a) . (D2 b)
  axisPoint,       // (D1 a) . (second.point(secondPoint) - x1) - a . firstPoint, which is (D1 a) . r for a rotation D1
  squaredDistance  // |r|^2
};

/// A form between a first and a second body; made by the functions below.
struct Form {
  FormKind kind = FormKind::point;
  Vector3 a = Vector3::Zero(), b = Vector3::Zero();
  Vector3 firstPoint = Vector3::Zero(), secondPoint = Vector3::Zero();  // fixed in the bodies

  double value(const Placement& first, const Placement& second) const;
  FormGradient gradient(const Placement& first, const Placement& second) const;

  /// The second derivative along a rate, d2s[z', z'], so that s'' = grad s . z'' + this.
  double curvature(const PlacementRate& first, const PlacementRate& second) const;
};

/// How far the second point lies from the first along a direction of space.
Form pointForm(const Vector3& direction, const Vector3& firstPoint, const Vector3& secondPoint);

/// The cosine between an axis of the first body and an axis of the second.
Form axesForm(const Vector3& firstAxis, const Vector3& secondAxis);

/// How far the second point lies from the first along an axis of the first body.
Form axisPointForm(const Vector3& firstAxis, const Vector3& firstPoint, const Vector3& secondPoint);

/// The squared distance of two points.
Form squaredDistanceForm(const Vector3& firstPoint, const Vector3& secondPoint);

}  // namespace polhode
