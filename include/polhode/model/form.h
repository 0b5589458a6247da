#pragma once

#include "polhode/model/placement.h"

/// What joints and forces are made of: scalar functions of the placements of two bodies that are at most quadratic in
/// (x, D), so that their second derivative is constant and their gradient at the mean of two placements is an exact
/// discrete gradient:  s(z1) - s(z0) = grad s((z0 + z1)/2) . (z1 - z0).
namespace polhode {

/// The derivative of a scalar with respect to one body: ds = onPosition . dx + onDirectors . (dD arm). So it pulls with
/// `onPosition` at the centre of mass and with `onDirectors` at the end of the body-fixed `arm`.
template <class Scalar>
struct EndGradientOf {
  using Vector = Eigen::Matrix<Scalar, 3, 1>;
  Vector onPosition = Vector::Zero();
  Vector onDirectors = Vector::Zero();
  Vector arm = Vector::Zero();

  /// The derivative with respect to a turn of the body, in space: sum_i d_i cross ds/dd_i.
  Vector onRotation(const Eigen::Matrix<Scalar, 3, 3>& D) const { return (D * arm).cross(onDirectors); }

  /// ds along a rate of the placement.
  Scalar along(const PlacementRateOf<Scalar>& rate) const {
    return onPosition.dot(rate.v) + onDirectors.dot(rate.W * arm);
  }
};

template <class Scalar>
struct FormGradientOf {
  EndGradientOf<Scalar> first, second;
};

using EndGradient = EndGradientOf<double>;
using FormGradient = FormGradientOf<double>;

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

  template <class Scalar>
  Scalar value(const PlacementOf<Scalar>& first, const PlacementOf<Scalar>& second) const;
  template <class Scalar>
  FormGradientOf<Scalar> gradient(const PlacementOf<Scalar>& first, const PlacementOf<Scalar>& second) const;

  /// The second derivative along a rate, d2s[z', z'], so that s'' = grad s . z'' + this.
  template <class Scalar>
  Scalar curvature(const PlacementRateOf<Scalar>& first, const PlacementRateOf<Scalar>& second) const;
};

/// How far the second point lies from the first along a direction of space.
Form pointForm(const Vector3& direction, const Vector3& firstPoint, const Vector3& secondPoint);

/// The cosine between an axis of the first body and an axis of the second.
Form axesForm(const Vector3& firstAxis, const Vector3& secondAxis);

/// How far the second point lies from the first along an axis of the first body.
Form axisPointForm(const Vector3& firstAxis, const Vector3& firstPoint, const Vector3& secondPoint);

/// The squared distance of two points.
Form squaredDistanceForm(const Vector3& firstPoint, const Vector3& secondPoint);

template <class Scalar>
Scalar Form::value(const PlacementOf<Scalar>& first, const PlacementOf<Scalar>& second) const {
  switch (kind) {
    case FormKind::point:
      return a.dot(second.point(secondPoint) - first.point(firstPoint));
    case FormKind::axes:
      return (first.D * a).dot(second.D * b);
    case FormKind::axisPoint:
      return (first.D * a).dot(second.point(secondPoint) - first.x) - a.dot(firstPoint);
    case FormKind::squaredDistance:
      return (second.point(secondPoint) - first.point(firstPoint)).squaredNorm();
  }
  return 0.0;
}

template <class Scalar>
FormGradientOf<Scalar> Form::gradient(const PlacementOf<Scalar>& first, const PlacementOf<Scalar>& second) const {
  using Vector = Eigen::Matrix<Scalar, 3, 1>;
  const auto constant = [](const Vector3& v) -> Vector { return v.cast<Scalar>(); };
  FormGradientOf<Scalar> g;
  switch (kind) {
    case FormKind::point:
      g.first = {-constant(a), -constant(a), constant(firstPoint)};
      g.second = {constant(a), constant(a), constant(secondPoint)};
      break;
    case FormKind::axes:
      g.first = {Vector::Zero(), second.D * b, constant(a)};
      g.second = {Vector::Zero(), first.D * a, constant(b)};
      break;
    case FormKind::axisPoint: {
      const Vector axis = first.D * a;
      g.first = {-axis, second.point(secondPoint) - first.x, constant(a)};
      g.second = {axis, axis, constant(secondPoint)};
      break;
    }
    case FormKind::squaredDistance: {
      const Vector twice = 2.0 * (second.point(secondPoint) - first.point(firstPoint));
      g.first = {-twice, -twice, constant(firstPoint)};
      g.second = {twice, twice, constant(secondPoint)};
      break;
    }
  }
  return g;
}

template <class Scalar>
Scalar Form::curvature(const PlacementRateOf<Scalar>& first, const PlacementRateOf<Scalar>& second) const {
  switch (kind) {
    case FormKind::point:
      return 0.0;
    case FormKind::axes:
      return 2.0 * (first.W * a).dot(second.W * b);
    case FormKind::axisPoint:
      return 2.0 * (first.W * a).dot(second.point(secondPoint) - first.v);
    case FormKind::squaredDistance:
      return 2.0 * (second.point(secondPoint) - first.point(firstPoint)).squaredNorm();
  }
  return 0.0;
}

}  // namespace polhode
