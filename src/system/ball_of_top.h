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
        weight_(weight),
        arm_(body.centre[axis] / body.inertia[(axis + 1) % 3]),
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
  /// What brings the ball back to what it keeps, where that is off by more than a few roundings. Energy and, in directors, the momentum about the vertical are corrected by
  /// the angular velocity across e; in a steady precession, where one follows from the other, by the energy alone.
  State correction(const State& ball) const {
    const Vector3 omega = ball.template tail<3>(), weight = weightIn(ball);
    const Kept now = keptBy(ball);
    const double ofEnergy = first_.energy - now.energy, ofMomentum = first_.momentum - now.momentum;
    const Vector3 across = acrossAxis(omega), pull = acrossAxis(weight);
    const double a = across.squaredNorm(), b = across.dot(pull), c = pull.squaredNorm();
    const double determinant = a * c - b * b;
    State change = State::Zero();
    const bool isOff =
        std::abs(ofEnergy) > fewRoundings * (0.5 * omega.squaredNorm() + std::abs(arm_) * weight.norm()) ||
        (keepsMomentum && std::abs(ofMomentum) > fewRoundings * omega.norm() * weight.norm());
    if (isOff && a > leastShare * (omega.squaredNorm() + std::abs(now.energy))) {
      if (keepsMomentum && determinant > leastShare * a * c)
        change.template tail<3>() =
            ((ofEnergy * c - ofMomentum * b) * across + (ofMomentum * a - ofEnergy * b) * pull) / determinant;
      else
        change.template tail<3>() = ofEnergy / a * across;
    }
    if constexpr (keepsMomentum) {
      const Matrix3 D = Coordinates::directors(Vector<double, 9>(ball.template head<9>()));
      const Matrix3 off = Matrix3::Identity() - D.transpose() * D;
      if (off.squaredNorm() > square(fewRoundings)) change.template head<9>() = (0.5 * D * off).eval().reshaped();
    } else {
      const double off = 1.0 - ball.template head<4>().squaredNorm();
      if (std::abs(off) > fewRoundings) change.template head<4>() = 0.5 * off * ball.template head<4>();
    }
    return change;
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
    first_ = keptBy(ball);
    return ball;
  }

  struct Kept {
    double energy = 0.0, momentum = 0.0;  // divided by J; the momentum about the vertical, times the weight
  };
  Kept keptBy(const State& ball) const {
    const Vector3 omega = ball.template tail<3>(), weight = weightIn(ball);
    return {0.5 * omega.squaredNorm() - arm_ * weight[axis_], omega.dot(weight)};
  }
  Vector3 weightIn(const State& ball) const {
    const Vector<double, Coordinates::Size> q = ball.template head<Coordinates::Size>();
    return Coordinates::bodyComponents(q, weight_);
  }
  Vector3 acrossAxis(Vector3 v) const {
    v[axis_] = 0.0;
    return v;
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

  static constexpr bool keepsMomentum = std::is_same_v<Coordinates, DirectorCoordinates>;
  static constexpr double fewRoundings = 8.0 * std::numeric_limits<double>::epsilon();
  static constexpr double leastShare = 1e-3;

  int axis_;
  double share_;  // K/J
  Vector3 weight_;
  double arm_;  // from the reference point to the centre of mass along e, divided by J
  Equations ball_;
  double angle_ = 0.0, since_ = 0.0;  // theta, and when it was that
  double spin_ = 0.0;                 // e . Omega
  Kept first_;
};

}  // namespace polhode
