#include "model/rigid_motions.h"

#include <Eigen/Geometry>

namespace polhode {

RigidMotions translation(const Vector3& direction) {
  RigidMotions motion(6, 1);
  motion << direction, Vector3::Zero();
  return motion;
}

RigidMotions rotation(const Vector3& axis, const Vector3& point) {
  RigidMotions motion(6, 1);
  motion << point.cross(axis), axis;
  return motion;
}

RigidMotions together(const std::vector<RigidMotions>& parts) {
  RigidMotions all(6, 0);
  for (const RigidMotions& part : parts) {
    all.conservativeResize(Eigen::NoChange, all.cols() + part.cols());
    all.rightCols(part.cols()) = part;
  }
  return all;
}

RigidMotions allMotions() {
  return RigidMotions::Identity(6, 6);
}

RigidMotions noMotions() {
  return RigidMotions(6, 0);
}

RigidMotions allTranslations() {
  return allMotions().leftCols(3);
}

RigidMotions rotationsAbout(const Vector3& point) {
  return together(
      {rotation(Vector3::UnitX(), point), rotation(Vector3::UnitY(), point), rotation(Vector3::UnitZ(), point)});
}

RigidMotions motionsOfField(const Vector3& field) {
  if (field.norm() == 0.0) return allMotions();
  const Matrix3 axes = frameAlong(field.normalized());
  return together({translation(axes.col(0)), translation(axes.col(1)), rotation(axes.col(2), Vector3::Zero())});
}

RigidMotions motionsOfTorque(const Vector3& torque) {
  if (torque.norm() == 0.0) return allMotions();
  const Matrix3 axes = frameAlong(torque.normalized());
  return together({allTranslations(), rotation(axes.col(0), Vector3::Zero()), rotation(axes.col(1), Vector3::Zero())});
}

Matrix3 frameAlong(const Vector3& z) {
  Matrix3 axes;
  axes << z.unitOrthogonal(), z.cross(z.unitOrthogonal()), z;
  return axes;
}

}  // namespace polhode
