#pragma once

#include "integrate/composition.h"
#include "integrate/single_body/top.h"

#include <cmath>
#include <numbers>
#include <random>

namespace polhode::single_body {

/// A body and how it starts.
struct Case {
  TopData top;
  TopState start;
};

/// A scheme composed to a higher order, by its own value type.
template <class Base, int Order>
struct Composition : Base {
  using Base::Base;
  static constexpr auto subSteps = compositionSubSteps<Order, Base::nearIdentity>();

  StepReport step(typename Base::State& state, double h) const {
    const typename Base::State before = state;
    const StepReport report = composedStep(subSteps, h, [&](double length, int) { return Base::step(state, length); });
    if (!report.converged) state = before;
    return report;
  }
};

/// The free body of Betsch & Siebert 2009, section 5.1.
inline Case freeBody() {
  return {{.inertia = {6.0, 8.0, 3.0}}, {.Omega = {10.0, 20.0, 20.0}}};
}

inline constexpr double topTilt = std::numbers::pi / 3.0, topPrecession = 10.0;

/// The cone in steady precession of Betsch & Siebert 2009, section 5.2.
inline Case heavyTop() {
  const double height = 0.1, radius = 0.05, gravity = 9.81, arm = 0.75 * height;
  const double mass = 2700.0 * std::numbers::pi * radius * radius * height / 3.0;
  const double across = 3.0 / 80.0 * mass * (4.0 * radius * radius + height * height) + mass * arm * arm;
  const double along = 0.3 * mass * radius * radius;
  const double spin =
      mass * gravity * arm / (along * topPrecession) + (across - along) / along * topPrecession * std::cos(topTilt);

  Case c;
  c.top = {{across, across, along}, {0.0, 0.0, mass * arm}, {0.0, 0.0, -gravity}};
  c.start.q = Quaternion(std::cos(0.5 * topTilt), std::sin(0.5 * topTilt), 0.0, 0.0);
  c.start.Omega = rotationMatrix(c.start.q).transpose() * Vector3(0.0, 0.0, topPrecession) + Vector3(0.0, 0.0, spin);
  return c;
}

/// The axis of that cone in its steady precession.
inline Vector3 steadyAxis(double t) {
  return {std::sin(topTilt) * std::sin(topPrecession * t), -std::sin(topTilt) * std::cos(topPrecession * t),
          std::cos(topTilt)};
}

/// An asymmetric heavy body that nutates, to have no symmetry help a scheme.
inline Case asymmetricTop() {
  Case c;
  c.top = {{2.0, 1.5, 1.0}, {0.3, -0.2, 0.5}, {1.0, -2.0, -9.0}};
  c.start.q = Quaternion(0.5, 0.1, -0.7, 0.5).normalized();
  c.start.Omega = {2.0, -1.0, 4.0};
  return c;
}

/// Random bodies: any inertia that masses can have, any orientation and velocity, gravity from anywhere or
/// none.
class RandomCases {
 public:
  struct Draw {
    Case body;
    double step;
  };

  /// The step turns the body by 0.01 to `largestTurn` radians, and gravity does not dominate the spin.
  Draw draw(double largestTurn) {
    Draw d;
    const Vector3 secondMoments = Vector3(positive(), positive(), positive()) * std::exp(6.0 * signedUnit());
    d.body.top.inertia = Vector3::Constant(secondMoments.sum()) - secondMoments;
    d.body.start.q = Quaternion(signedUnit(), signedUnit(), signedUnit(), signedUnit()).normalized();
    d.body.start.Omega = std::exp(3.0 * signedUnit()) * vector();
    const double spin = d.body.start.Omega.norm();
    d.step = std::exp(std::log(0.01) + positive() * (std::log(largestTurn) - std::log(0.01))) / spin;
    if (++drawn_ % 2 == 0) {
      d.body.top.gravity = vector();
      d.body.top.moment = 0.5 * spin * spin * d.body.top.inertia.minCoeff() * vector();
    }
    return d;
  }

 private:
  double signedUnit() { return std::uniform_real_distribution<double>(-1.0, 1.0)(random_); }
  double positive() { return std::uniform_real_distribution<double>(0.05, 1.0)(random_); }
  Vector3 vector() { return {signedUnit(), signedUnit(), signedUnit()}; }

  std::mt19937_64 random_{20240915};
  int drawn_ = 0;
};

}  // namespace polhode::single_body
