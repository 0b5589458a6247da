#include "polhode/model/form.h"

namespace polhode {

double Form::value(const Placement& first, const Placement& second) const {
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

FormGradient Form::gradient(const Placement& first, const Placement& second) const {
  FormGradient g;
  switch (kind) {
    case FormKind::point:
      g.first = {-a, -a, firstPoint};
      g.second = {a, a, secondPoint};
      break;
    case FormKind::axes:
      g.first = {Vector3::Zero(), second.D * b, a};
      g.second = {Vector3::Zero(), first.D * a, b};
      break;
    case FormKind::axisPoint: {
      const Vector3 axis = first.D * a;
      g.first = {-axis, second.point(secondPoint) - first.x, a};
      g.second = {axis, axis, secondPoint};
      break;
    }
    case FormKind::squaredDistance: {
      const Vector3 twice = 2.0 * (second.point(secondPoint) - first.point(firstPoint));
      g.first = {-twice, -twice, firstPoint};
      g.second = {twice, twice, secondPoint};
      break;
    }
  }
  return g;
}

double Form::curvature(const PlacementRate& first, const PlacementRate& second) const {
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

Form pointForm(const Vector3& direction, const Vector3& firstPoint, const Vector3& secondPoint) {
  return {FormKind::point, direction, Vector3::Zero(), firstPoint, secondPoint};
}

Form axesForm(const Vector3& firstAxis, const Vector3& secondAxis) {
  return {FormKind::axes, firstAxis, secondAxis, Vector3::Zero(), Vector3::Zero()};
}

Form axisPointForm(const Vector3& firstAxis, const Vector3& firstPoint, const Vector3& secondPoint) {
  return {FormKind::axisPoint, firstAxis, Vector3::Zero(), firstPoint, secondPoint};
}

Form squaredDistanceForm(const Vector3& firstPoint, const Vector3& secondPoint) {
  return {FormKind::squaredDistance, Vector3::Zero(), Vector3::Zero(), firstPoint, secondPoint};
}

}  // namespace polhode
