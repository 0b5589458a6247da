#pragma once

#include "polhode/math/types.h"

#include <memory>
#include <vector>

namespace polhode {

/// A rigid body as its equations of motion see it: principal axes d1, d2, d3 about a reference point, which
/// is a point fixed in space or, if the body translates, the centre of mass.
struct RigidBodyData {
  double mass = 1.0;
  Vector3 inertia = Vector3::Ones();            // principal moments about the reference point
  Vector3 centre = Vector3::Zero();             // centre of mass from the reference point, principal axes
  bool translates = false;                      // the reference point moves
  Vector3 referencePosition = Vector3::Zero();  // where it is at t = 0
};

/// Forces on one body that derive from a potential V(x, D): x is the reference point and D = (d1|d2|d3) the
/// principal axes, which need not be orthonormal (coordinates may have drifted).
class BodyForces {
 public:
  virtual ~BodyForces() = default;

  virtual double potential(double t, const Vector3& x, const Matrix3& D) const = 0;

  /// force = -dV/dx and directorForce = -dV/dD; column i of directorForce belongs to d_i.
  virtual void forces(double t, const Vector3& x, const Matrix3& D, Vector3& force, Matrix3& directorForce) const = 0;
};

/// The torque mu = T_d(d)^T psi^d of Lang (25), in body axes about the reference point, of director forces.
inline Vector3 bodyTorque(const Matrix3& D, const Matrix3& directorForce) {
  const Matrix3 Y = D.transpose() * directorForce;
  return {Y(2, 1) - Y(1, 2), Y(0, 2) - Y(2, 0), Y(1, 0) - Y(0, 1)};
}

/// Uniform gravity g on a body: V = -m g . (x + D c), c the centre of mass from the reference point.
class UniformGravity final : public BodyForces {
 public:
  UniformGravity() = default;
  UniformGravity(const RigidBodyData& body, const Vector3& gravity)
      : weight_(body.mass * gravity), centre_(body.centre) {}

  double potential(double, const Vector3& x, const Matrix3& D) const override { return potentialAt(x, D); }
  template <class T>
  T potentialAt(const Vector<T, 3>& x, const Eigen::Matrix<T, 3, 3>& D) const {
    return -weight_.cast<T>().dot(x + D * centre_.cast<T>());
  }
  void forces(double, const Vector3&, const Matrix3&, Vector3& force, Matrix3& directorForce) const override {
    force = weight_;
    directorForce = weight_ * centre_.transpose();
  }

  /// The torque c x D^T (m g) in body axes, from the components D^T (m g) of the weight along them.
  template <class T>
  Vector<T, 3> torque(const Vector<T, 3>& weightInBody) const {
    return centre_.cast<T>().cross(weightInBody);
  }

  /// Whether it turns the body at all.
  bool hasTorque() const { return centre_.squaredNorm() > 0.0 && weight_.squaredNorm() > 0.0; }
  const Vector3& weight() const { return weight_; }

 private:
  Vector3 weight_ = Vector3::Zero();
  Vector3 centre_ = Vector3::Zero();
};

/// A linear spring from a point of space to a point of the body: V = k (|s| - l)^2 / 2, s = x + D r - anchor.
class AnchorSpring final : public BodyForces {
 public:
  /// `attachment` is r, the body's point from the reference point in principal axes; `length` unstretched.
  AnchorSpring(const Vector3& anchor, const Vector3& attachment, double stiffness, double length)
      : anchor_(anchor), attachment_(attachment), stiffness_(stiffness), length_(length) {}

  double potential(double t, const Vector3& x, const Matrix3& D) const override;
  void forces(double t, const Vector3& x, const Matrix3& D, Vector3& force, Matrix3& directorForce) const override;

 private:
  Vector3 anchor_, attachment_;
  double stiffness_, length_;
};

/// Several forces at once.
class ForceSum final : public BodyForces {
 public:
  void add(std::shared_ptr<const BodyForces> part) { parts_.push_back(std::move(part)); }
  bool empty() const { return parts_.empty(); }

  double potential(double t, const Vector3& x, const Matrix3& D) const override;
  void forces(double t, const Vector3& x, const Matrix3& D, Vector3& force, Matrix3& directorForce) const override;

 private:
  std::vector<std::shared_ptr<const BodyForces>> parts_;
};

}  // namespace polhode
