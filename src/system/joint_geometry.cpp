#include "model/suggestion.h"
#include "polhode/error.h"
#include "system/mechanism.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace polhode {

namespace {

Vector3 unitAxis(const Joint& joint, const Vector3& axis) {
  const double length = axis.norm();
  if (!(length > 0.0) || !std::isfinite(length))
    throw InputError(fmt::format("joint {} has an axis of zero length; give a direction, as in axis = [0, 0, 1]",
                                 quoted(joint.name)));
  return axis / length;
}

/// Three orthonormal axes, the third one given and the first as near to `wish` as can be.
Matrix3 frameAbout(const Vector3& z, const Vector3& wish) {
  Vector3 x = wish - z.dot(wish) * z;
  if (x.norm() < 1e-3) {
    int smallest = 0;
    z.cwiseAbs().minCoeff(&smallest);
    x = Vector3::Unit(smallest) - z[smallest] * z;
  }
  Matrix3 axes;
  axes.col(0) = x.normalized();
  axes.col(1) = z.cross(axes.col(0));
  axes.col(2) = z;
  return axes;
}

JointFrame inBody(const Placement& body, const Vector3& point, const Matrix3& axes) {
  return {body.D.transpose() * (point - body.x), body.D.transpose() * axes};
}

/// How far the second frame is turned about the joint's axis at t = 0.
double angleAtStart(const Joint& joint, const JointType& type) {
  for (std::size_t k = 0; k < std::min(joint.start.size(), type.coordinates.size()); ++k)
    if (type.coordinates[k].kind == MotionKind::rotation) return joint.start[k];
  return 0.0;
}

}  // namespace

JointGeometry jointGeometry(const Joint& joint, const JointType& type, const Placement& first,
                            const Placement& second) {
  Matrix3 firstAxes = Matrix3::Identity(), secondAxes = Matrix3::Identity();
  if (type.needs == JointNeeds::pointAndAxis || type.needs == JointNeeds::pointAndTwoAxes) {
    const Vector3 z1 = unitAxis(joint, joint.axis), z2 = unitAxis(joint, joint.axisOfSecond());
    firstAxes = frameAbout(z1, Vector3::UnitX());
    const double angle = angleAtStart(joint, type);
    secondAxes = frameAbout(z2, std::cos(angle) * firstAxes.col(0) + std::sin(angle) * firstAxes.col(1));
  }
  JointGeometry geometry{inBody(first, joint.point, firstAxes), inBody(second, joint.pointOfSecond(), secondAxes)};
  if (type.needs == JointNeeds::twoPoints) {
    geometry.length = joint.length ? joint.length->value(0.0) : (joint.pointOfSecond() - joint.point).norm();
    if (!(geometry.length > 0.0))
      throw InputError(
          fmt::format("joint {} keeps two points that coincide apart; give two different points, or use a "
                      "spherical joint",
                      quoted(joint.name)));
  }
  return geometry;
}

}  // namespace polhode
