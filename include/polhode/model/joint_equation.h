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

  double gap(double t, const Placement& first, const Placement& second) const {
    return formAt(t).value(first, second) - offsetAt(t);
  }
  FormGradient gradient(double t, const Placement& first, const Placement& second) const {
    return formAt(t).gradient(first, second);
  }

  /// g_t, the rate of the gap of bodies at rest.
  double drivenRate(double t, const Placement& first, const Placement& second) const;

  /// g', the rate of the gap of moving bodies.
  double rate(double t, const MovingPlacement& first, const MovingPlacement& second) const;

  /// All of g'' that z'' has no share in.
  double curvature(double t, const MovingPlacement& first, const MovingPlacement& second) const;

 private:
  Form drivenForm(double t) const;
  double drivenOffset(double t) const;
};

}  // namespace polhode
