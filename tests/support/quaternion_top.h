#pragma once

#include "polhode/math/euler_map.h"
#include "polhode/system/user_system.h"

#include <numbers>

namespace polhode::test {

/// A symmetric heavy top with a fixed tip in quaternions: q in R^4, M = 4 G(q)^T J G(q), which has rank 3,
/// V = m g L (e3 . d3), g = (|q|^2 - 1)/2 (Kinon & Betsch 2024, (46), (115), (30)). The cone of section 5.4
/// with the inertia about the tip, J1 = J2 = 0.0045062219..., J3 = 0.00053014376... (the printed (114) has
/// the axes swapped).
class QuaternionTop : public UserSystem<QuaternionTop, 4, 1> {
 public:
  double inertia1 = 0.00450622196249285967642, inertia3 = 0.0005301437602932776089906;
  double weightMoment = 0.5200710288477053344198;

  std::string name() const override { return "quaternion-top"; }

  template <class S>
  Mass<S> massMatrix(const Position<S>& q) const {
    const Eigen::Matrix<S, 3, 4> G = bodyMatrix(q);
    const Vector<S, 3> J(inertia1, inertia1, inertia3);
    return S(4.0) * (G.transpose() * J.asDiagonal() * G);
  }

  template <class S>
  S potentialEnergy(const Position<S>& q) const {
    return weightMoment * (q[0] * q[0] - q[1] * q[1] - q[2] * q[2] + q[3] * q[3]);
  }

  template <class S>
  Gaps<S> constraintValues(const Position<S>& q) const {
    return Gaps<S>(0.5 * (q.squaredNorm() - S(1.0)));
  }
};

/// The same with the kinetic energy in its invariant, the angular velocity Omega = 2 G(q) v: discrete
/// gradients by the chain rule are then those of Kinon & Betsch (87), (88).
class InvariantTop : public UserSystem<InvariantTop, 4, 1> {
 public:
  QuaternionTop top;

  std::string name() const override { return "invariant-top"; }

  template <class S>
  Mass<S> massMatrix(const Position<S>& q) const {
    return top.massMatrix(q);
  }
  template <class S>
  S kineticEnergy(const Position<S>& q, const Position<S>& v) const {
    const Vector<S, 3> Omega = S(2.0) * (bodyMatrix(q) * v);
    return 0.5 * (top.inertia1 * (Omega[0] * Omega[0] + Omega[1] * Omega[1]) + top.inertia3 * Omega[2] * Omega[2]);
  }
  template <class S>
  S potentialEnergy(const Position<S>& q) const {
    return top.potentialEnergy(q);
  }
  template <class S>
  Gaps<S> constraintValues(const Position<S>& q) const {
    return top.constraintValues(q);
  }
};

/// Steady precession: nutation 60 degrees, precession 10 rad/s, spin 135.6 rad/s (Kinon & Betsch
/// (117)-(119)).
inline VectorX steadyPrecessionState() {
  const double half = std::numbers::pi / 6;
  const Quaternion q(std::cos(half), std::sin(half), 0, 0);
  const Matrix3 R = rotationMatrix(q);
  const Vector3 omega = 10 * Vector3::UnitZ() + 135.6 * R.col(2);
  VectorX state(8);
  state << q, 0.5 * spaceMatrix(q).transpose() * omega;
  return state;
}

/// |d3 - d3_ref| against the analytic axis d3 = (sin th sin(wp t), -sin th cos(wp t), cos th).
inline double steadyPrecessionError(double t, const Quaternion& q) {
  const double theta = std::numbers::pi / 3;
  const Vector3 reference(std::sin(theta) * std::sin(10 * t), -std::sin(theta) * std::cos(10 * t), std::cos(theta));
  return (rotationMatrix(q).col(2) - reference).norm();
}

/// Angular momentum in space, E(q) p / 2 (Kinon & Betsch (64)).
inline Vector3 angularMomentum(const Quaternion& q, const Quaternion& p) {
  return 0.5 * (spaceMatrix(q) * p);
}

}  // namespace polhode::test
