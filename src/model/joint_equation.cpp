#include "polhode/model/joint_equation.h"

#include <cmath>

namespace polhode {

namespace {

/// The form of an angle at the angle s, or one of its first two derivatives by s.
Form turnedForm(const Form& form, const Vector3& axis, double s, int derivative) {
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

double alongRates(const FormGradient& gradient, const MovingPlacement& first, const MovingPlacement& second) {
  return gradient.first.along(first.rate) + gradient.second.along(second.rate);
}

}  // namespace

Form JointEquation::drivenForm(double t) const {
  return drive->kind == DriveKind::angle ? turnedForm(form, drive->axis, drive->signal.value(t), 0) : form;
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

double JointEquation::drivenRate(double t, const Placement& first, const Placement& second) const {
  if (!drive) return 0.0;
  const double rate = drive->signal.rate(t);
  switch (drive->kind) {
    case DriveKind::displacement:
      return -rate;
    case DriveKind::length:
      return -2.0 * drive->signal.value(t) * rate;
    case DriveKind::angle:
      return turnedForm(form, drive->axis, drive->signal.value(t), 1).value(first, second) * rate;
  }
  return 0.0;
}

double JointEquation::rate(double t, const MovingPlacement& first, const MovingPlacement& second) const {
  return alongRates(gradient(t, first.at, second.at), first, second) + drivenRate(t, first.at, second.at);
}

double JointEquation::curvature(double t, const MovingPlacement& first, const MovingPlacement& second) const {
  const double own = formAt(t).curvature(first.rate, second.rate);
  if (!drive) return own;
  const double s = drive->signal.value(t), rate = drive->signal.rate(t), acceleration = drive->signal.acceleration(t);
  switch (drive->kind) {
    case DriveKind::displacement:
      return own - acceleration;
    case DriveKind::length:
      return own - 2.0 * (square(rate) + s * acceleration);
    case DriveKind::angle: {
      const Form once = turnedForm(form, drive->axis, s, 1), twice = turnedForm(form, drive->axis, s, 2);
      return own + 2.0 * rate * alongRates(once.gradient(first.at, second.at), first, second) +
             acceleration * once.value(first.at, second.at) + square(rate) * twice.value(first.at, second.at);
    }
  }
  return own;
}

}  // namespace polhode
