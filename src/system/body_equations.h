#pragma once

#include "math/lanes.h"
#include "system/body_forces.h"
#include "system/coordinates.h"
#include "system/euler_equations.h"

#include <memory>

namespace polhode {

/// Where a body is and how it moves, whatever the coordinates: its reference point and its principal axes; at one instant,
/// or at several in lanes.
template <class T>
struct BodyFrameMotion {
  Vector<T, 3> position = Vector<T, 3>::Zero();  // of the reference point
  Eigen::Matrix<T, 3, 3> directors =
      Eigen::Matrix<T, 3, 3>::Identity();               // as the coordinates give them, drift included
  Vector<T, 3> velocity = Vector<T, 3>::Zero();         // of the reference point
  Vector<T, 3> angularVelocity = Vector<T, 3>::Zero();  // Omega, along the principal axes
};
struct BodyMotion : BodyFrameMotion<double> {
  Quaternion orientation{1.0, 0.0, 0.0, 0.0};  // of the principal axes; as long as the coordinates give it
};

/// The part that all formulations of one body share: its data and what acts on it.
class BodyEquations {
 public:
  BodyEquations(const RigidBodyData& body, const UniformGravity& gravity,
                std::shared_ptr<const BodyForces> otherForces = nullptr)
      : body_(body), euler_(body.inertia), gravity_(gravity), otherForces_(std::move(otherForces)) {}

  const RigidBodyData& body() const { return body_; }
  const UniformGravity& gravity() const { return gravity_; }
  bool hasOtherForces() const { return otherForces_ != nullptr; }

  /// All forces, -dV/dx and -dV/dD.
  void forces(double t, const Vector3& x, const Matrix3& D, Vector3& force, Matrix3& directorForce) const;

  double potential(double t, const Vector3& x, const Matrix3& D) const;

  /// The multiplier of the unit length of a quaternion, lambda_p = <p, psi^p> (Lang (40)), by post-processing.
  VectorX quaternionMultipliers(double t, const BodyMotion& motion) const;

  /// The six multipliers of the director constraints in the order (11), (22), (33), (12), (31), (23), from
  /// Lambda = (Psi - D'' E) D^-1 (Lang (23)), by post-processing.
  VectorX directorMultipliers(double t, const BodyMotion& motion) const;

 protected:
  /// Torque in body axes and force on the reference point, in the coordinates q; for one instant or several in lanes.
  template <class Coordinates, class T>
  void load(const T& t, const Vector<T, 3>& x, const Vector<T, Coordinates::Size>& q, Vector<T, 3>& force,
            Vector<T, 3>& torque) const {
    force = gravity_.weight().template cast<T>();
    torque = gravity_.torque(Coordinates::bodyComponents(q, force));
    if (otherForces_) addOtherForces(t, x, Coordinates::directors(q), force, torque);
  }
  void addOtherForces(double t, const Vector3& x, const Matrix3& D, Vector3& force, Vector3& torque) const;

  /// One lane after the other: forces of all kinds are functions of numbers.
  template <int W>
  void addOtherForces(const Lanes<W>& t, const Vector<Lanes<W>, 3>& x, const Eigen::Matrix<Lanes<W>, 3, 3>& D,
                      Vector<Lanes<W>, 3>& force, Vector<Lanes<W>, 3>& torque) const {
    for (int lane = 0; lane < W; ++lane) {
      const auto ofLane = [lane](const Lanes<W>& lanes) { return lanes[lane]; };
      Vector3 f = force.unaryExpr(ofLane), mu = torque.unaryExpr(ofLane);
      addOtherForces(t[lane], x.unaryExpr(ofLane), D.unaryExpr(ofLane), f, mu);
      for (int i = 0; i < 3; ++i) force[i].numbers[lane] = f[i], torque[i].numbers[lane] = mu[i];
    }
  }

  RigidBodyData body_;
  EulerEquations euler_;
  UniformGravity gravity_;
  std::shared_ptr<const BodyForces> otherForces_;
};

}  // namespace polhode
