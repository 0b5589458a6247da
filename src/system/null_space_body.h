#pragma once

#include "system/body_equations.h"

/// One rigid body in null-space coordinates, y = (q, Omega), or (x, q, v, Omega) if its reference point
/// moves:
///
///     q' = T(q) Omega,    J Omega' = mu - Omega x J Omega,    x' = v,    m v' = f
///
/// with q a quaternion (Lang 2010 (42)), nine director components (25), Euler angles (66) or Cardan angles.
/// The constraint holds on the level of velocity by construction; on that of position it drifts linearly.
namespace polhode {

template <class Coordinates, bool Translates = false>
class NullSpaceBody : public BodyEquations {
 public:
  static constexpr int Size = Coordinates::Size + (Translates ? 9 : 3);
  using State = Vector<double, Size>;
  using BodyEquations::BodyEquations;

  int size() const { return Size; }

  void derivative(double t, const State& y, State& dydt) const { equations<double>(t, y, dydt); }

  /// The same at several instants, side by side.
  template <int W>
  void derivative(const Lanes<W>& t, const Vector<Lanes<W>, Size>& y, Vector<Lanes<W>, Size>& dydt) const {
    equations<Lanes<W>>(t, y, dydt);
  }

  /// The rotational part alone, for any scalar: without torque (how operations are counted) or under gravity.
  template <class T>
  void rotate(const Vector<T, Coordinates::Size>& q, const Vector<T, 3>& Omega, Vector<T, Coordinates::Size>& qDot,
              Vector<T, 3>& OmegaDot) const {
    qDot = Coordinates::rate(q, Omega);
    OmegaDot = gravity_.hasTorque() ? euler_.driven(Omega, gravity_.torque(Coordinates::bodyComponents(
                                                               q, Vector<T, 3>(gravity_.weight().template cast<T>()))))
                                    : euler_.free(Omega);
  }

  State fromMotion(const BodyMotion& motion) const {
    State y;
    y.template segment<Coordinates::Size>(Q) = Coordinates::fromQuaternion(motion.orientation);
    y.template tail<3>() = motion.angularVelocity;
    if constexpr (Translates) {
      y.template head<3>() = motion.position;
      y.template segment<3>(V) = motion.velocity;
    }
    return y;
  }

  BodyMotion motion(const State& y) const { return {frame<double>(y), Coordinates::toQuaternion(position(y))}; }

  template <class T>
  BodyFrameMotion<T> frame(const Vector<T, Size>& y) const {
    BodyFrameMotion<T> m;
    m.position = reference(y);
    m.directors = Coordinates::directors(position(y));
    m.angularVelocity = y.template tail<3>();
    if constexpr (Translates) m.velocity = y.template segment<3>(V);
    return m;
  }

  void project(State& y, Projection method) const {
    Vector<double, Coordinates::Size> q = position(y);
    Coordinates::project(q, method);
    y.template segment<Coordinates::Size>(Q) = q;
  }

  template <class T>
  T positionViolation(const Vector<T, Size>& y) const {
    return Coordinates::constraintViolation(position(y));
  }
  double velocityViolation(const State&) const { return 0.0; }  // q' = T(q) Omega is tangential

  VectorX multipliers(double t, const State& y) const {
    if constexpr (std::is_same_v<Coordinates, QuaternionCoordinates>) return quaternionMultipliers(t, motion(y));
    if constexpr (std::is_same_v<Coordinates, DirectorCoordinates>) return directorMultipliers(t, motion(y));
    return VectorX();
  }

 private:
  static constexpr int Q = Translates ? 3 : 0;
  static constexpr int V = Q + Coordinates::Size;

  template <class T>
  void equations(const T& t, const Vector<T, Size>& y, Vector<T, Size>& dydt) const {
    const Vector<T, Coordinates::Size> q = position(y);
    const Vector<T, 3> Omega = y.template tail<3>();
    dydt.template segment<Coordinates::Size>(Q) = Coordinates::rate(q, Omega);

    Vector<T, 3> force, torque;
    load<Coordinates, T>(t, reference(y), q, force, torque);
    dydt.template tail<3>() = euler_.driven(Omega, torque);
    if constexpr (Translates) {
      dydt.template head<3>() = y.template segment<3>(V);
      dydt.template segment<3>(V) = force / T(body_.mass);
    }
  }

  template <class T>
  static Vector<T, Coordinates::Size> position(const Vector<T, Size>& y) {
    return y.template segment<Coordinates::Size>(Q);
  }
  template <class T>
  Vector<T, 3> reference(const Vector<T, Size>& y) const {
    if constexpr (Translates) return y.template head<3>();
    return body_.referencePosition.template cast<T>();
  }
};

}  // namespace polhode
