#include "system/quaternion_body.h"

#include "math/euler_map.h"
#include "polhode/error.h"

#include <fmt/format.h>

namespace polhode {

namespace {

/// Q(a) diag(0, I) Q(a)^T, the form that M_p and the mass skew term share.
Eigen::Matrix4d inertiaForm(const Quaternion& a, const Vector3& inertia) {
  const Eigen::Matrix<double, 3, 4> B = bodyMatrix(a);
  return B.transpose() * inertia.asDiagonal() * B;
}

}  // namespace

QuaternionBody::QuaternionBody(const RigidBodyData& body, std::shared_ptr<const BodyForces> forces)
    : body_(body), forces_(std::move(forces)), first_(body.translates ? 3 : 0) {
  if (body_.inertia.minCoeff() <= 0.0)
    throw InputError(
        fmt::format("a body in quaternions has the principal moments of inertia ({}, {}, {}); each must "
                    "be positive",
                    body_.inertia[0], body_.inertia[1], body_.inertia[2]));
  if (body_.translates && body_.mass <= 0.0)
    throw InputError(fmt::format("a body that translates has the mass {}; it must be positive", body_.mass));
}

void QuaternionBody::mass(const VectorX& q, MatrixX& M) const {
  const Quaternion p = q.tail<4>();
  M.setZero();
  M.topLeftCorner(first_, first_).diagonal().setConstant(body_.mass);
  M.bottomRightCorner<4, 4>() = 4.0 * inertiaForm(p, body_.inertia);
}

double QuaternionBody::potential(double t, const VectorX& q) const {
  return forces_->potential(t, referencePoint(q), directors(q));
}

void QuaternionBody::forces(double t, const VectorX& q, const VectorX& v, VectorX& psi) const {
  const Quaternion p = q.tail<4>(), pdot = v.tail<4>();
  Vector3 force;
  Matrix3 directorForce;
  forces_->forces(t, referencePoint(q), rotationMatrix(p), force, directorForce);

  if (body_.translates) psi.head<3>() = force;
  psi.tail<4>() =
      directorsDifferential(p).transpose() * directorForce.reshaped() + 8.0 * inertiaForm(pdot, body_.inertia) * p;
}

void QuaternionBody::constraint(const VectorX& q, VectorX& g) const {
  g[0] = 0.5 * (q.tail<4>().squaredNorm() - 1.0);
}

void QuaternionBody::constraintJacobian(const VectorX& q, MatrixX& G) const {
  G.setZero();
  G.row(0).tail<4>() = q.tail<4>().transpose();
}

void QuaternionBody::constraintAcceleration(const VectorX&, const VectorX& v, VectorX& gII) const {
  gII[0] = v.tail<4>().squaredNorm();
}

VectorX QuaternionBody::position(const Vector3& x, const Quaternion& p) const {
  VectorX q(coordinates());
  if (body_.translates) q.head<3>() = x;
  q.tail<4>() = p;
  return q;
}

VectorX QuaternionBody::velocity(const VectorX& q, const Vector3& xdot, const Vector3& Omega) const {
  const Quaternion p = q.tail<4>();
  VectorX v(coordinates());
  if (body_.translates) v.head<3>() = xdot;
  v.tail<4>() = 0.5 * bodyMatrix(p).transpose() * Omega;
  return v;
}

Vector3 QuaternionBody::referencePoint(const VectorX& q) const {
  return body_.translates ? Vector3(q.head<3>()) : body_.referencePosition;
}

Matrix3 QuaternionBody::directors(const VectorX& q) const {
  return rotationMatrix(Quaternion(q.tail<4>()));
}

Vector3 QuaternionBody::angularVelocity(const VectorX& q, const VectorX& v) const {
  return 2.0 * bodyMatrix(Quaternion(q.tail<4>())) * v.tail<4>();
}

}  // namespace polhode
