#pragma once

#include "system/body_equations.h"

/// One rigid body in absolute quaternion coordinates as an index-0 system, y = (p, v) with v = p', or
/// (x, p, x', v) if its reference point moves. With conj(p) o v = (s, w), so that Omega = 2 w on the sphere,
///
///     v' = M^#(p) psi - |v|^2 p = p o (-|v|^2, a),    |p|^4 a = J^-1 mu / 2 - 2 J^-1 (w x J w) - 2 s w
///
/// This is Lang's (40) as printed. It solves the index-1 system (37) where |p| = 1; off the sphere (37) has
/// the radial term -|v|^2 p/|p|^2 instead. The printed one pulls p back towards the sphere, so that its
/// length does not drift off quadratically; Index0Ode of a QuaternionBody solves (37) itself and shows that
/// drift.
///
/// Reference: Lang 2010, (31)-(40).
namespace polhode {

template <bool Translates = false>
class AbsoluteQuaternionBody : public BodyEquations {
 public:
  static constexpr int Size = Translates ? 14 : 8;
  using State = Vector<double, Size>;
  using BodyEquations::BodyEquations;

  int size() const { return Size; }

  void derivative(double t, const State& y, State& dydt) const {
    const Quaternion p = y.template segment<4>(P), v = y.template tail<4>();
    dydt.template segment<4>(P) = v;

    Vector3 force, torque;
    load<QuaternionCoordinates, double>(t, reference(y), p, force, torque);
    const double s = p.dot(v), n2 = p.squaredNorm();
    const Vector3 w = bodyMatrix(p) * v;
    const Vector3 a = (0.5 * euler_.driven(Vector3(2.0 * w), torque) - 2.0 * s * w) / (n2 * n2);
    dydt.template tail<4>() = multiply(p, Quaternion(-v.squaredNorm(), a[0], a[1], a[2]));

    if constexpr (Translates) {
      dydt.template head<3>() = y.template segment<3>(V);
      dydt.template segment<3>(V) = force / body_.mass;
    }
  }

  /// The rotational part of (40) as printed, |p| = 1 and <p, v> = 0, without torque: how operations are
  /// counted.
  template <class T>
  void rotate(const Vector<T, 4>& p, const Vector<T, 4>& v, Vector<T, 4>& vDot) const {
    const Vector<T, 3> w(p[0] * v[1] - p[1] * v[0] + p[3] * v[2] - p[2] * v[3],
                         p[0] * v[2] - p[2] * v[0] + p[1] * v[3] - p[3] * v[1],
                         p[0] * v[3] - p[3] * v[0] + p[2] * v[1] - p[1] * v[2]);
    const Vector<T, 3> u = minusTwiceEuler_.free(w);
    const T c = w.squaredNorm();
    vDot = {u[0] * p[1] + u[1] * p[2] + u[2] * p[3] - c * p[0], u[2] * p[2] - u[1] * p[3] - (c * p[1] + u[0] * p[0]),
            u[0] * p[3] - u[2] * p[1] - (c * p[2] + u[1] * p[0]), u[1] * p[1] - u[0] * p[2] - (c * p[3] + u[2] * p[0])};
  }

  State fromMotion(const BodyMotion& m) const {
    State y;
    y.template segment<4>(P) = m.orientation;
    y.template tail<4>() = QuaternionCoordinates::rate(m.orientation, m.angularVelocity);
    if constexpr (Translates) {
      y.template head<3>() = m.position;
      y.template segment<3>(V) = m.velocity;
    }
    return y;
  }

  BodyMotion motion(const State& y) const {
    const Quaternion p = y.template segment<4>(P), v = y.template tail<4>();
    BodyMotion m;
    m.position = reference(y);
    m.directors = rotationMatrix(p);
    m.orientation = p;
    m.angularVelocity = 2.0 * bodyMatrix(p) * v;
    if constexpr (Translates) m.velocity = y.template segment<3>(V);
    return m;
  }

  void project(State& y, Projection) const {
    const Quaternion drifted = y.template segment<4>(P), velocity = y.template tail<4>();
    const Quaternion p = projectQuaternion(drifted);
    y.template segment<4>(P) = p;
    y.template tail<4>() = projectQuaternionVelocity(p, velocity);
  }

  double positionViolation(const State& y) const {
    return QuaternionCoordinates::constraintViolation<double>(y.template segment<4>(P));
  }
  double velocityViolation(const State& y) const {
    return std::abs(y.template segment<4>(P).dot(y.template tail<4>()));
  }

  VectorX multipliers(double t, const State& y) const { return quaternionMultipliers(t, motion(y)); }

 private:
  static constexpr int P = Translates ? 3 : 0;
  static constexpr int V = P + 4;

  Vector3 reference(const State& y) const {
    if constexpr (Translates) return y.template head<3>();
    return body_.referencePosition;
  }

  EulerEquations minusTwiceEuler_ = euler_.scaledBy(-2.0);
};

}  // namespace polhode
