#include "polhode/model/joint_equation.h"

#include <cmath>

namespace polhode {

/// The form of an angle at the angle s, or one of its first two derivatives by s.
Form JointEquation::turnedForm(double s, int derivative) const {
  const Vector3& axis = drive->axis;
  const Vector3 along = axis.dot(form.a) * axis, across = form.a - along, beyond = axis.cross(form.a);
  Form turned = form;
  switch (derivative) {
    case 0:
      turned.a = along + std::cos(s) * across + std::sin(s) * beyond;
      break;
    case 1:
      turned.a = std::cos(s) * beyond - std::sin(s) * across;
      break;
    default:
      turned.a = -std::cos(s) * across - std::sin(s) * beyond;
  }
  return turned;
}

Form JointEquation::drivenForm(double t) const {
  return drive->kind == DriveKind::angle ? turnedForm(drive->signal.value(t), 0) : form;
}

double JointEquation::drivenOffset(double t) const {
  switch (drive->kind) {
    case DriveKind::displacement:
      return drive->signal.value(t);
    case DriveKind::length:
      return square(drive->signal.value(t));
    case DriveKind::angle:
      break;
  }
  return offset;
}

}  // namespace polhode
