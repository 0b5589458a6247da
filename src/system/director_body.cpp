#include "system/director_body.h"

#include "math/euler_map.h"
#include "polhode/error.h"
#include "system/body_chart.h"

#include <fmt/format.h>

namespace polhode {

DirectorBody::DirectorBody(const RigidBodyData& body, std::shared_ptr<const BodyForces> forces)
    : body_(body), forces_(std::move(forces)), first_(body.translates ? 3 : 0) {
  E_ = Vector3::Constant(0.5 * body_.inertia.sum()) - body_.inertia;
  if (E_.minCoeff() < 0.0 || body_.inertia.minCoeff() <= 0.0)
    throw InputError(
        fmt::format("no rigid body has the principal moments of inertia ({}, {}, {}); each must be "
                    "positive and none larger than the sum of the other two",
                    body_.inertia[0], body_.inertia[1], body_.inertia[2]));
  if (body_.translates && body_.mass <= 0.0)
    throw InputError(fmt::format("a body that translates has the mass {}; it must be positive", body_.mass));
}

void DirectorBody::mass(const VectorX&, MatrixX& M) const {
  M.setZero();
  M.diagonal().head(first_).setConstant(body_.mass);
  for (int i = 0; i < 3; ++i) M.diagonal().segment<3>(first_ + 3 * i).setConstant(E_[i]);
}

double DirectorBody::potential(double t, const VectorX& q) const {
  return forces_->potential(t, referencePoint(q), directors(q));
}

void DirectorBody::forces(double t, const VectorX& q, const VectorX&, VectorX& psi) const {
  Vector3 force;
  Matrix3 directorForce;
  forces_->forces(t, referencePoint(q), directors(q), force, directorForce);
  if (body_.translates) psi.head<3>() = force;
  psi.tail<9>() = directorForce.reshaped();
}

void DirectorBody::constraint(const VectorX& q, VectorX& g) const {
  g = DirectorChart::constraint(q.segment<9>(first_));
}

void DirectorBody::constraintJacobian(const VectorX& q, MatrixX& G) const {
  G.setZero();
  G.middleCols<9>(first_) = DirectorChart::constraintJacobian(q.segment<9>(first_));
}

void DirectorBody::constraintAcceleration(const VectorX&, const VectorX& v, VectorX& gII) const {
  gII = DirectorChart::constraintAcceleration(v.segment<9>(first_));
}

VectorX DirectorBody::position(const Vector3& x, const Quaternion& p) const {
  VectorX q(coordinates());
  if (body_.translates) q.head<3>() = x;
  q.tail<9>() = polhode::directors(p);
  return q;
}

VectorX DirectorBody::velocity(const VectorX& q, const Vector3& xdot, const Vector3& Omega) const {
  const Matrix3 Rdot = directors(q) * hat(Omega);
  VectorX v(coordinates());
  if (body_.translates) v.head<3>() = xdot;
  v.tail<9>() = Rdot.reshaped();
  return v;
}

Vector3 DirectorBody::referencePoint(const VectorX& q) const {
  return body_.translates ? Vector3(q.head<3>()) : body_.referencePosition;
}

Matrix3 DirectorBody::directors(const VectorX& q) const {
  return q.tail<9>().reshaped(3, 3);
}

Vector3 DirectorBody::angularVelocity(const VectorX& q, const VectorX& v) const {
  const Matrix3 W = directors(q).transpose() * directors(v);
  return 0.5 * Vector3(W(2, 1) - W(1, 2), W(0, 2) - W(2, 0), W(1, 0) - W(0, 1));
}

}  // namespace polhode
