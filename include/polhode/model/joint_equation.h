#pragma once

#include "polhode/model/form.h"
#include "polhode/model/signal.h"

#include <memory>

namespace polhode {

/// What an equation of a driven joint follows. With the signal s(t):
///
///     displacement   form = s
///     length         form = s^2                      (the form is a squared distance)
///     angle          form = offset,  a -> exp(s axis^) a   (the form compares axes a and b, and a turns about `axis`)
///
/// The signal has a velocity that does not jump.
enum class DriveKind { displacement, length, angle };

struct JointDrive {
  DriveKind kind;
  Signal signal;
  Vector3 axis = Vector3::UnitZ();  // of an angle, in the first body
};

/// One scalar equation of a joint, g(z, t) = form - offset = 0, where z are the placements of its two bodies. All but
/// driven ones are the same at all times:
///
///     g' = grad g . z' + g_t,      g'' = grad g . z'' + curvature
struct JointEquation {
  Form form;
  double offset = 0.0;
  std::shared_ptr<const JointDrive> drive = nullptr;  // null where nothing depends on time

  /// Form and offset as they are at a time.
  Form formAt(double t) const { return drive ? drivenForm(t) : form; }
  double offsetAt(double t) const { return drive ? drivenOffset(t) : offset; }

  template <class Scalar>
  Scalar gap(double t, const PlacementOf<Scalar>& first, const PlacementOf<Scalar>& second) const {
    return formAt(t).value(first, second) - offsetAt(t);
  }
  template <class Scalar>
  FormGradientOf<Scalar> gradient(double t, const PlacementOf<Scalar>& first, const PlacementOf<Scalar>& second) const {
    return formAt(t).gradient(first, second);
  }

  /// g_t, the rate of the gap of bodies at rest.
  template <class Scalar>
  Scalar drivenRate(double t, const PlacementOf<Scalar>& first, const PlacementOf<Scalar>& second) const;

  /// g', the rate of the gap of moving bodies.
  template <class Scalar>
  Scalar rate(double t, const MovingPlacementOf<Scalar>& first, const MovingPlacementOf<Scalar>& second) const;

  /// All of g'' that z'' has no share in.
  template <class Scalar>
  Scalar curvature(double t, const MovingPlacementOf<Scalar>& first, const MovingPlacementOf<Scalar>& second) const;

 private:
  Form drivenForm(double t) const;
  double drivenOffset(double t) const;
  Form turnedForm(double angle, int derivative) const;

  template <class Scalar>
  static Scalar alongRates(const FormGradientOf<Scalar>& gradient, const MovingPlacementOf<Scalar>& first,
                           const MovingPlacementOf<Scalar>& second) {
    return gradient.first.along(first.rate) + gradient.second.along(second.rate);
  }
};

template <class Scalar>
Scalar JointEquation::drivenRate(double t, const PlacementOf<Scalar>& first, const PlacementOf<Scalar>& second) const {
  if (!drive) return 0.0;
  const double rate = drive->signal.rate(t);
  switch (drive->kind) {
    case DriveKind::displacement:
      return -rate;
    case DriveKind::length:
      return -2.0 * drive->signal.value(t) * rate;
    case DriveKind::angle:
      return turnedForm(drive->signal.value(t), 1).value(first, second) * rate;
  }
  return 0.0;
}

template <class Scalar>
Scalar JointEquation::rate(double t, const MovingPlacementOf<Scalar>& first,
                           const MovingPlacementOf<Scalar>& second) const {
  return alongRates(gradient(t, first.at, second.at), first, second) + drivenRate(t, first.at, second.at);
}

template <class Scalar>
Scalar JointEquation::curvature(double t, const MovingPlacementOf<Scalar>& first,
                                const MovingPlacementOf<Scalar>& second) const {
  const Scalar own = formAt(t).curvature(first.rate, second.rate);
  if (!drive) return own;
  const double s = drive->signal.value(t), rate = drive->signal.rate(t), acceleration = drive->signal.acceleration(t);
  switch (drive->kind) {
    case DriveKind::displacement:
      return own - acceleration;
    case DriveKind::length:
      return own - 2.0 * (square(rate) + s * acceleration);
    case DriveKind::angle: {
      const Form once = turnedForm(s, 1), twice = turnedForm(s, 2);
      return own + 2.0 * rate * alongRates(once.gradient(first.at, second.at), first, second) +
             acceleration * once.value(first.at, second.at) + square(rate) * twice.value(first.at, second.at);
    }
  }
  return own;
}

}  // namespace polhode
