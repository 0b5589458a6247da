#include "polhode/control/control_law.h"

namespace polhode {

Vector3 forceFor(const Vector3& acceleration, const Matrix3& mobility) {
  // what moves less than this, relative to the easiest direction, is held by joints
  constexpr double held = 1e-9;
  Eigen::SelfAdjointEigenSolver<Matrix3> axes;
  axes.compute(mobility);
  const double largest = axes.eigenvalues().cwiseAbs().maxCoeff();
  Vector3 force = Vector3::Zero();
  for (Eigen::Index i = 0; i < 3; ++i) {
    if (!(axes.eigenvalues()[i] > held * largest)) continue;
    const Vector3 axis = axes.eigenvectors().col(i);
    force += axis * (axis.dot(acceleration) / axes.eigenvalues()[i]);
  }
  return force;
}

}  // namespace polhode
