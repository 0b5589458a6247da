#pragma once

#include "system/null_space_body.h"

#include <cmath>
#include <limits>
#include <optional>
#include <type_traits>

/// A top with two equal moments J, whose centre lies on its axis e of the moment K, moves under gravity as a ball of the moments
/// (J, J, J) with the same angular momentum does, and turns in it about its axis at a constant rate:
///
///     R = B exp(theta e^),   theta' = sigma = (1 - K/J) e . Omega                     constant                         (1)
///     omega = exp(theta e^) Omega - sigma e                            the angular velocity of B, in its axes          (2)
///     B' = B omega^,   J omega' = c x B^T m g                                                                          (3)
///
/// since J omega are the components of J Omega along the axes B, and R c = B c. Euler's term has gone and with it the fast part
/// of the motion: at K/J = 0.1 the ball turns a tenth as fast as the top. What is quadratic for the top is so for the ball:
/// energy, the momentum about the vertical, orthonormality.
///
/// Reference: Landau & Lifshitz, Mechanics, section 35: their effective potential has K only in M_3, which the ball keeps.
namespace polhode {

template <class Coordinates>
class BallOfTop {
 public:
  using Body = NullSpaceBody<Coordinates>;
  using Equations = Body;
  using State = typename Equations::State;

  /// The axis of such a body; none where moments or centre are not so, to rounding.
  static std::optional<int> axisOf(const RigidBodyData& body) {
    constexpr double rounding = 16.0 * std::numeric_limits<double>::epsilon();
    for (int axis = 0; axis < 3; ++axis) {
      const int j = (axis + 1) % 3, k = (axis + 2) % 3;
      const bool round = std::abs(body.inertia[j] - body.inertia[k]) <= rounding * body.inertia[j];
      const double beside = std::hypot(body.centre[j], body.centre[k]);
      if (round && body.inertia[j] > 0.0 && beside <= rounding * std::abs(body.centre[axis])) return axis;
    }
    return std::nullopt;
  }

  BallOfTop(const RigidBodyData& body, const Vector3& weight, int axis)
      : axis_(axis),
        share_(body.inertia[axis] / body.inertia[(axis + 1) % 3]),
        ball_(ballOf(body, axis), UniformGravity(ballOf(body, axis), weight / body.mass)) {}

  const Equations& equations() const { return ball_; }

  /// The ball's state that stands for a top's, from which everything begins.
  State begin(double t, const State& top) {
    angle_ = 0.0;
    return stateOf(t, top);
  }
  /// The same for one that takes the place of the present one, with its angle.
  State replace(double t, const State& top, const State&) {
    angle_ = angleAt(t);
    return stateOf(t, top);
  }

  State stateAt(double t, const State& ball) const {
    State top = turned(ball, -angleAt(t));
    top[Spin + axis_] = spin_;
    return top;
  }
  bool isLost(const State&) const { return false; }

  template <class Archive>
  void persist(Archive& archive) {
    archive(angle_, since_, spin_);
  }

 private:
  static constexpr int Spin = Coordinates::Size;  // where Omega begins

  static RigidBodyData ballOf(RigidBodyData body, int axis) {
    body.inertia.setConstant(body.inertia[(axis + 1) % 3]);
    body.centre = body.centre[axis] * Vector3::Unit(axis);
    return body;
  }

  double angleAt(double t) const { return angle_ + (1.0 - share_) * spin_ * (t - since_); }

  State stateOf(double t, const State& top) {
    since_ = t;
    spin_ = top[Spin + axis_];
    State ball = turned(top, angle_);
    ball[Spin + axis_] = share_ * spin_;
    return ball;
  }

  /// The same position and angular velocity along axes that are turned back by an angle about e.
  State turned(const State& y, double angle) const {
    const double c = std::cos(0.5 * angle), s = std::sin(0.5 * angle);
    const double cosine = (c - s) * (c + s), sine = 2.0 * s * c;
    const int j = (axis_ + 1) % 3, k = (axis_ + 2) % 3;
    State z;
    const auto turnedBack = [&](int first, int stride, int components) {
      for (int i = 0; i < components; ++i) {
        const double a = y[first + stride * j + i], b = y[first + stride * k + i];
        z[first + stride * j + i] = cosine * a - sine * b;
        z[first + stride * k + i] = sine * a + cosine * b;
        z[first + stride * axis_ + i] = y[first + stride * axis_ + i];
      }
    };
    turnedBack(Spin, 1, 1);
    if constexpr (std::is_same_v<Coordinates, QuaternionCoordinates>) {
      Quaternion back(c, 0.0, 0.0, 0.0);
      back[1 + axis_] = -s;
      z.template head<4>() = multiply(Quaternion(y.template head<4>()), back);
    } else {
      turnedBack(0, 3, 3);
    }
    return z;
  }

  int axis_;
  double share_;  // K/J
  Equations ball_;
  double angle_ = 0.0, since_ = 0.0;  // theta, and when it was that
  double spin_ = 0.0;                 // e . Omega
};

}  // namespace polhode
