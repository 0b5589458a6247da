#pragma once

#include "math/spurrier_klumpp.h"
#include "polhode/model/model.h"
#include "system/body_equations.h"

#include <memory>

namespace polhode {

/// A model's body about its reference point and in its principal axes, and the way back.
///
/// The reference point is the fixed point of a body on a spherical joint to ground, otherwise the centre of
/// mass. Principal axes are the body's own where its inertia about that point is diagonal already, so that
/// nothing is permuted. A free body on which only uniform gravity acts has a centre of mass that moves on a
/// parabola and does not know of the rotation: `parabola` is set and the body's equations leave translation
/// out.
class PrincipalBody {
 public:
  /// Whether the model is one body, free or on one spherical joint to ground, with springs to ground at most.
  static bool fits(const Model& model);

  /// Throws InputError where the model is anything else.
  explicit PrincipalBody(const Model& model);

  const RigidBodyData& data() const { return data_; }
  const UniformGravity& gravity() const { return gravity_; }
  std::shared_ptr<const BodyForces> otherForces() const { return otherForces_; }
  std::shared_ptr<const BodyForces> allForces() const;  // gravity and the others

  /// The motion at t = 0.
  BodyMotion initialMotion() const;

  /// The model's body (centre of mass, body axes) in a given motion of the reference point and principal
  /// axes. The orientation is as long as the coordinates left it.
  Body bodyAt(double t, const BodyMotion& motion) const;

  /// By what a motion is judged, at one instant or at several in lanes.
  template <class T>
  struct Sums {
    T kineticEnergy, potentialEnergy;
    Vector<T, 3> linearMomentum, angularMomentum;  // about the origin of space
    Vector<T, 3> centre;                           // of mass
  };
  template <class T>
  Sums<T> sums(const T& t, const BodyFrameMotion<T>& motion) const {
    const Vector<T, 3> centre = centrePosition(t, motion), velocity = centreVelocity(t, motion);
    const Vector<T, 3>& reference = parabola_ ? centre : motion.position;
    const Vector<T, 3>& Omega = motion.angularVelocity;
    const T mass(data_.mass), half(0.5);
    Sums<T> sums;
    sums.centre = centre;
    sums.kineticEnergy = half * Omega.dot(Vector<T, 3>(data_.inertia.cast<T>().cwiseProduct(Omega)));
    if (data_.translates || parabola_) sums.kineticEnergy += half * mass * velocity.squaredNorm();
    sums.potentialEnergy = gravity_.potentialAt(reference, motion.directors);
    if (otherForces_) sums.potentialEnergy += otherPotential(t, reference, motion.directors);
    sums.linearMomentum = mass * velocity;
    sums.angularMomentum =
        centre.cross(sums.linearMomentum) + motion.directors * Vector<T, 3>(inertiaAlongAxes_.cast<T>() * Omega);
    return sums;
  }

 private:
  template <class T>
  Vector<T, 3> centrePosition(const T& t, const BodyFrameMotion<T>& motion) const {
    if (parabola_)
      return body_.position.cast<T>() + t * (body_.velocity.cast<T>() + T(0.5) * t * fieldStrength_.cast<T>());
    return motion.position + motion.directors * data_.centre.cast<T>();
  }
  template <class T>
  Vector<T, 3> centreVelocity(const T& t, const BodyFrameMotion<T>& motion) const {
    if (parabola_) return body_.velocity.cast<T>() + t * fieldStrength_.cast<T>();
    return motion.velocity + motion.directors * motion.angularVelocity.cross(data_.centre.cast<T>());
  }

  double otherPotential(double t, const Vector3& x, const Matrix3& D) const { return otherForces_->potential(t, x, D); }
  template <int W>
  Lanes<W> otherPotential(const Lanes<W>& t, const Vector<Lanes<W>, 3>& x,
                          const Eigen::Matrix<Lanes<W>, 3, 3>& D) const {
    Lanes<W> all;
    for (int lane = 0; lane < W; ++lane) {
      const auto ofLane = [lane](const Lanes<W>& lanes) { return lanes[lane]; };
      all.numbers[lane] = otherForces_->potential(t[lane], x.unaryExpr(ofLane), D.unaryExpr(ofLane));
    }
    return all;
  }

  Body body_;
  Vector3 fieldStrength_;  // g
  RigidBodyData data_;
  bool parabola_ = false;
  Matrix3 axes_ = Matrix3::Identity();     // principal axes in the body frame, columns
  Quaternion axesQuaternion_{1, 0, 0, 0};  // the same rotation
  Matrix3 inertiaAlongAxes_;               // about the centre of mass, along the principal axes
  UniformGravity gravity_;
  std::shared_ptr<const BodyForces> otherForces_;
};

}  // namespace polhode
