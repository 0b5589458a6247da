#pragma once

#include "math/quaternion.h"
#include "system/null_space_body.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

/// The rotation of one body that nothing turns: what is known of it in closed form is taken as known, and Euler's equations
/// and an angle are left. With M = J Omega, its unit vector m in body axes, and l the same vector in space, which stays,
///
///     R m = l,    |M| = G,    Omega . M = 2 T                                         constant                         (1)
///     R = S exp(psi a^) P(m)^T,    P(m) the shortest rotation from a to m,    S a = l  constant                        (2)
///
/// with a that principal axis, along or against, around which m runs: that of the largest moment where G^2 > 2 T J_middle,
/// otherwise that of the smallest. From R^T R' = Omega^ and m' = m x Omega follows
///
///     J Omega' = M x Omega,    psi' = (2 T + G a . Omega) / (G + a . M)                                                (3)
///
/// whose divisor is never less than G, since m stays on its side of a. R M = G l holds to rounding whatever Omega and psi; a
/// method that keeps quadratic invariants keeps G and T as well, so with it nothing drifts. Axes are renamed so that a lies
/// along the third.
///
/// Reference: Landau & Lifshitz, Mechanics, section 37; R. Montgomery, How much does the rigid body rotate?, Am. J. Phys. 59
/// (1991), 394-398, for the angle.
namespace polhode {

class FreeRotation {
 public:
  static constexpr int Size = 4;          // (Omega, psi)
  static constexpr int angle = Size - 1;  // the component that counts turns
  using State = Vector<double, Size>;

  explicit FreeRotation(const Vector3& inertia) : inertia_(inertia) {}

  int size() const { return Size; }

  /// (3)
  void derivative(double t, const State& y, State& dydt) const { equations<double>(t, y, dydt); }
  template <int W>
  void derivative(const Lanes<W>& t, const Vector<Lanes<W>, Size>& y, Vector<Lanes<W>, Size>& dydt) const {
    equations<Lanes<W>>(t, y, dydt);
  }

  /// The state that stands for a motion from which everything begins.
  State begin(const BodyMotion& motion) {
    chooseAxis(inertia_.cwiseProduct(motion.angularVelocity), motion.angularVelocity);
    return stateOf(motion, 0.0);
  }
  /// The same for one that takes the place of `present`, with its angle.
  State replace(const BodyMotion& motion, const State& present) { return stateOf(motion, present[angle]); }

  BodyMotion motionAt(const State& y) const {
    BodyMotion motion;
    for (int i = 0; i < 3; ++i) motion.angularVelocity[name(i)] = y[i];
    const Vector3 M = inertia_.cwiseProduct(motion.angularVelocity);
    motion.orientation = multiply(multiply(space_, turned(y[angle])), conjugate(shortestRotation(M)));
    return motion;
  }

  /// What brings Omega back to G and T where they are off by more than a few roundings, along their gradients; where both are one
  /// direction, near principal axes, to T alone.
  State correction(const State& y) const {
    const Vector3 Omega = y.head<3>(), J = renamed(inertia_), M = J.cwiseProduct(Omega), JM = J.cwiseProduct(M);
    const double ofEnergy = 0.5 * (twiceEnergy_ - M.dot(Omega)), ofMomentum = 0.5 * (square(momentum_) - M.dot(M));
    const double a = M.dot(M), b = M.dot(JM), c = JM.dot(JM), determinant = a * c - b * b;
    State change = State::Zero();
    if (std::abs(ofEnergy) <= fewRoundings * twiceEnergy_ && std::abs(ofMomentum) <= fewRoundings * a) return change;
    if (determinant > leastDeterminant * a * c)
      change.head<3>() = ((ofEnergy * c - ofMomentum * b) * M + (ofMomentum * a - ofEnergy * b) * JM) / determinant;
    else if (a > 0.0)
      change.head<3>() = ofEnergy / a * M;
    return change;
  }

  /// Whether m is far from its side of a, where only roundings can bring it; then all is to begin anew.
  bool isLost(const State& y) const { return side_ * inertia_[axis_] * y[2] < -0.5 * momentum_; }

  template <class Archive>
  void persist(Archive& archive) {
    archive(momentum_, twiceEnergy_, axis_, side_, space_);
    euler_ = EulerEquations(renamed(inertia_));
  }

 private:
  template <class T>
  void equations(const T&, const Vector<T, Size>& y, Vector<T, Size>& dydt) const {
    const Vector<T, 3> Omega = y.template head<3>();
    const T along = T(side_) * Omega[2];
    dydt.template head<3>() = euler_.free(Omega);
    dydt[angle] = (T(twiceEnergy_) + T(momentum_) * along) / (T(divisor()) + T(inertia_[axis_]) * along);
  }
  double divisor() const { return momentum_ > 0.0 ? momentum_ : 1.0; }

  State stateOf(const BodyMotion& motion, double psi) {
    const Vector3 M = inertia_.cwiseProduct(motion.angularVelocity);
    momentum_ = M.norm();
    twiceEnergy_ = M.dot(motion.angularVelocity);
    const Quaternion q = motion.orientation.normalized();
    space_ = multiply(multiply(q, shortestRotation(M)), turned(-psi));
    State y;
    y << renamed(motion.angularVelocity), psi;
    return y;
  }

  void chooseAxis(const Vector3& M, const Vector3& Omega) {
    std::array<int, 3> order = {0, 1, 2};
    std::sort(order.begin(), order.end(), [&](int i, int j) { return inertia_[i] < inertia_[j]; });
    const double least = inertia_[order[0]], middle = inertia_[order[1]], most = inertia_[order[2]];
    const bool isFlat = middle - least <= nearlyEqual * most, isLong = most - middle <= nearlyEqual * most;
    const bool aroundLargest = isFlat || M.squaredNorm() > middle * M.dot(Omega);
    axis_ = order[aroundLargest && !isLong ? 2 : 0];
    side_ = M[axis_] < 0.0 ? -1.0 : 1.0;
    euler_ = EulerEquations(renamed(inertia_));
  }

  /// P of (2).
  Quaternion shortestRotation(const Vector3& M) const {
    if (!(M.squaredNorm() > 0.0)) return Quaternion(1.0, 0.0, 0.0, 0.0);
    const Vector3 m = M.normalized(), a = side_ * Vector3::Unit(axis_), across = a.cross(m);
    return Quaternion(1.0 + a.dot(m), across[0], across[1], across[2]).normalized();
  }
  /// The rotation about a by psi.
  Quaternion turned(double psi) const {
    Quaternion q(std::cos(0.5 * psi), 0.0, 0.0, 0.0);
    q[1 + axis_] = side_ * std::sin(0.5 * psi);
    return q;
  }

  int name(int i) const { return (axis_ + 1 + i) % 3; }
  Vector3 renamed(const Vector3& v) const { return {v[name(0)], v[name(1)], v[name(2)]}; }

  static constexpr double fewRoundings = 4.0 * std::numeric_limits<double>::epsilon();
  static constexpr double leastDeterminant = 0.01;
  static constexpr double nearlyEqual = 1e-12;  // moments of which neither is an axis that m runs around

  Vector3 inertia_;
  EulerEquations euler_;  // with the axes renamed
  double momentum_ = 0.0, twiceEnergy_ = 0.0;
  int axis_ = 2;
  double side_ = 1.0;
  Quaternion space_{1.0, 0.0, 0.0, 0.0};  // S
};

/// A free body in its coordinates, moved by its free rotation (integrate/reduced_body_stepper.h).
template <class Coordinates>
class FreeBody {
 public:
  using Body = NullSpaceBody<Coordinates>;
  using Equations = FreeRotation;

  explicit FreeBody(const Body& body) : body_(body), rotation_(body.body().inertia) {}

  const Equations& equations() const { return rotation_; }

  Equations::State begin(double, const typename Body::State& y) { return rotation_.begin(body_.motion(y)); }
  Equations::State replace(double, const typename Body::State& y, const Equations::State& present) {
    return rotation_.replace(body_.motion(y), present);
  }
  typename Body::State stateAt(double, const Equations::State& rotation) const {
    return body_.fromMotion(rotation_.motionAt(rotation));
  }
  Equations::State correction(const Equations::State& rotation) const { return rotation_.correction(rotation); }
  bool isLost(const Equations::State& rotation) const { return rotation_.isLost(rotation); }

  template <class Archive>
  void persist(Archive& archive) {
    rotation_.persist(archive);
  }

 private:
  Body body_;
  Equations rotation_;
};

}  // namespace polhode
