#pragma once

#include "math/largest.h"
#include "system/body_equations.h"

/// One rigid body in absolute director coordinates as an index-0 system, y = (d, d'), or (x, d, x', d') if
/// its reference point moves. Lang's (23) is
///
///     D'' E = Psi - Lambda D,    sym(D'' D^T) = -D' D'^T,    Lambda symmetric (six multipliers)
///
/// All D'' that satisfy the constraint are D (hat(a) - C) with C = B B^T, B = D^-1 D'; and D^T Lambda D is
/// symmetric just if the body torque of Psi - D'' E vanishes. This leaves three linear equations for a
/// instead of fifteen,
///
///     K a = mu + torque(N C E),    N = D^T D,    K_ii = E_j N_kk + E_k N_jj,  K_ij = -E_k N_ij
///
/// (K = J on SO(3)), and holds as well where D has drifted and where an E_i is zero (a flat body).
///
/// Reference: Lang 2010, (17)-(23).
namespace polhode {

/// D'' of (23); `torque` is mu in body axes, `E` the principal values of the Euler tensor.
template <class T>
Eigen::Matrix<T, 3, 3> directorAcceleration(const Eigen::Matrix<T, 3, 3>& D, const Eigen::Matrix<T, 3, 3>& rate,
                                            const Vector<T, 3>& E, const Vector<T, 3>& torque);

template <bool Translates = false>
class AbsoluteDirectorBody : public BodyEquations {
 public:
  static constexpr int Size = Translates ? 24 : 18;
  using State = Vector<double, Size>;

  AbsoluteDirectorBody(const RigidBodyData& body, const UniformGravity& gravity,
                       std::shared_ptr<const BodyForces> otherForces = nullptr)
      : BodyEquations(body, gravity, std::move(otherForces)), eulerTensor_(eulerTensor(body.inertia)) {}

  /// E_1 = (J_2 + J_3 - J_1)/2 and so on, Lang (18).
  static Vector3 eulerTensor(const Vector3& J) { return Vector3::Constant(0.5 * J.sum()) - J; }

  int size() const { return Size; }

  void derivative(double t, const State& y, State& dydt) const {
    const Matrix3 D = y.template segment<9>(P).reshaped(3, 3), rate = y.template tail<9>().reshaped(3, 3);
    dydt.template segment<9>(P) = y.template tail<9>();
    Vector3 force, torque;
    load<DirectorCoordinates, double>(t, reference(y), y.template segment<9>(P), force, torque);
    dydt.template tail<9>() = directorAcceleration(D, rate, eulerTensor_, torque).reshaped();
    if constexpr (Translates) {
      dydt.template head<3>() = y.template segment<3>(V);
      dydt.template segment<3>(V) = force / body_.mass;
    }
  }

  State fromMotion(const BodyMotion& m) const {
    State y;
    const Directors d = polhode::directors(m.orientation);
    y.template segment<9>(P) = d;
    y.template tail<9>() = DirectorCoordinates::rate(d, m.angularVelocity);
    if constexpr (Translates) {
      y.template head<3>() = m.position;
      y.template segment<3>(V) = m.velocity;
    }
    return y;
  }

  BodyMotion motion(const State& y) const {
    const Matrix3 D = y.template segment<9>(P).reshaped(3, 3), rate = y.template tail<9>().reshaped(3, 3);
    BodyMotion m;
    m.position = reference(y);
    m.directors = D;
    m.orientation = quaternionFromRotation(D);
    m.angularVelocity = 0.5 * bodyTorque(D, rate);  // the skew part of D^T D', Lang (15)
    if constexpr (Translates) m.velocity = y.template segment<3>(V);
    return m;
  }

  void project(State& y, Projection method) const {
    const Matrix3 drifted = y.template segment<9>(P).reshaped(3, 3), rate = y.template tail<9>().reshaped(3, 3);
    const FrameMotion<double> projected =
        method == Projection::polar ? projectFrameToNearest(drifted, rate) : projectFrameExplicitly(drifted, rate);
    y.template segment<9>(P) = projected.frame.reshaped();
    y.template tail<9>() = projected.velocity.reshaped();
  }

  double positionViolation(const State& y) const {
    return DirectorCoordinates::constraintViolation<double>(y.template segment<9>(P));
  }
  double velocityViolation(const State& y) const {
    const Matrix3 D = y.template segment<9>(P).reshaped(3, 3), rate = y.template tail<9>().reshaped(3, 3);
    const Matrix3 S = D * rate.transpose();
    Matrix3 g = S + S.transpose();
    g.diagonal() *= 0.5;
    return largestSizeOrNaN(g);
  }

  VectorX multipliers(double t, const State& y) const { return directorMultipliers(t, motion(y)); }

 private:
  static constexpr int P = Translates ? 3 : 0;
  static constexpr int V = P + 9;

  Vector3 reference(const State& y) const {
    if constexpr (Translates) return y.template head<3>();
    return body_.referencePosition;
  }

  Vector3 eulerTensor_;
};

template <class T>
Eigen::Matrix<T, 3, 3> directorAcceleration(const Eigen::Matrix<T, 3, 3>& D, const Eigen::Matrix<T, 3, 3>& rate,
                                            const Vector<T, 3>& E, const Vector<T, 3>& torque) {
  using Matrix = Eigen::Matrix<T, 3, 3>;
  const Matrix B = D.inverse() * rate;
  const Matrix C = B * B.transpose();
  const Matrix N = D.transpose() * D;
  const Matrix Y = N * C;

  Matrix K;
  K << E[1] * N(2, 2) + E[2] * N(1, 1), -E[2] * N(0, 1), -E[1] * N(0, 2),  //
      -E[2] * N(0, 1), E[2] * N(0, 0) + E[0] * N(2, 2), -E[0] * N(1, 2),   //
      -E[1] * N(0, 2), -E[0] * N(1, 2), E[0] * N(1, 1) + E[1] * N(0, 0);
  const Vector<T, 3> right(torque[0] + Y(2, 1) * E[1] - Y(1, 2) * E[2], torque[1] + Y(0, 2) * E[2] - Y(2, 0) * E[0],
                           torque[2] + Y(1, 0) * E[0] - Y(0, 1) * E[1]);
  const Vector<T, 3> a = K.inverse() * right;
  Matrix A = -C;
  A(1, 0) += a[2], A(0, 1) -= a[2];
  A(0, 2) += a[1], A(2, 0) -= a[1];
  A(2, 1) += a[0], A(1, 2) -= a[0];
  return D * A;
}

}  // namespace polhode
