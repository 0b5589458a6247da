#include "polhode/system/body_equations.h"

namespace polhode {

void BodyEquations::forces(double t, const Vector3& x, const Matrix3& D, Vector3& force,
                           Matrix3& directorForce) const {
  gravity_.forces(t, x, D, force, directorForce);
  if (!otherForces_) return;
  Vector3 f;
  Matrix3 fD;
  otherForces_->forces(t, x, D, f, fD);
  force += f;
  directorForce += fD;
}

double BodyEquations::potential(double t, const Vector3& x, const Matrix3& D) const {
  return gravity_.potential(t, x, D) + (otherForces_ ? otherForces_->potential(t, x, D) : 0.0);
}

}  // namespace polhode
