#include "system/body_equations.h"

#include "system/absolute_director_body.h"

namespace polhode {

void BodyEquations::forces(double t, const Vector3& x, const Matrix3& D, Vector3& force, Matrix3& directorForce) const {
  gravity_.forces(t, x, D, force, directorForce);
  if (!otherForces_) return;
  Vector3 f;
  Matrix3 fD;
  otherForces_->forces(t, x, D, f, fD);
  force += f;
  directorForce += fD;
}

void BodyEquations::addOtherForces(double t, const Vector3& x, const Matrix3& D, Vector3& force,
                                   Vector3& torque) const {
  Vector3 f;
  Matrix3 fD;
  otherForces_->forces(t, x, D, f, fD);
  force += f;
  torque += bodyTorque(D, fD);
}

double BodyEquations::potential(double t, const Vector3& x, const Matrix3& D) const {
  return gravity_.potential(t, x, D) + (otherForces_ ? otherForces_->potential(t, x, D) : 0.0);
}

VectorX BodyEquations::quaternionMultipliers(double t, const BodyMotion& m) const {
  Vector3 force;
  Matrix3 Psi;
  forces(t, m.position, m.directors, force, Psi);
  // <p, Dphi(p)^T Psi> = 2 phi(p) : Psi, and the mass skew term contributes twice the rotational energy twice.
  const double stretching = 2.0 * m.directors.cwiseProduct(Psi).sum();
  return VectorX::Constant(1, stretching + 2.0 * m.angularVelocity.dot(body_.inertia.cwiseProduct(m.angularVelocity)));
}

VectorX BodyEquations::directorMultipliers(double t, const BodyMotion& m) const {
  Vector3 force;
  Matrix3 Psi;
  forces(t, m.position, m.directors, force, Psi);
  const Matrix3& D = m.directors;
  const Vector3 E = AbsoluteDirectorBody<>::eulerTensor(body_.inertia);
  const Matrix3 acceleration = directorAcceleration<double>(D, D * hat(m.angularVelocity), E, bodyTorque(D, Psi));
  const Matrix3 Lambda = (Psi - acceleration * E.asDiagonal()) * D.inverse();
  VectorX lambda(6);
  lambda << Lambda(0, 0), Lambda(1, 1), Lambda(2, 2), Lambda(0, 1), Lambda(2, 0), Lambda(1, 2);
  return lambda;
}

}  // namespace polhode
