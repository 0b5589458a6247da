#include "system/body_forces.h"

namespace polhode {

double AnchorSpring::potential(double, const Vector3& x, const Matrix3& D) const {
  const double stretch = (x + D * attachment_ - anchor_).norm() - length_;
  return 0.5 * stiffness_ * stretch * stretch;
}

void AnchorSpring::forces(double, const Vector3& x, const Matrix3& D, Vector3& force, Matrix3& directorForce) const {
  const Vector3 s = x + D * attachment_ - anchor_;
  const double distance = s.norm();
  // A spring of no length at all has no direction; one with l = 0 needs none.
  const double factor = length_ == 0.0 ? 1.0 : (distance > 0.0 ? 1.0 - length_ / distance : 0.0);
  force = -stiffness_ * factor * s;
  directorForce = force * attachment_.transpose();
}

double ForceSum::potential(double t, const Vector3& x, const Matrix3& D) const {
  double sum = 0.0;
  for (const auto& part : parts_) sum += part->potential(t, x, D);
  return sum;
}

void ForceSum::forces(double t, const Vector3& x, const Matrix3& D, Vector3& force, Matrix3& directorForce) const {
  force.setZero();
  directorForce.setZero();
  Vector3 f;
  Matrix3 fD;
  for (const auto& part : parts_) {
    part->forces(t, x, D, f, fD);
    force += f;
    directorForce += fD;
  }
}

}  // namespace polhode
