#include "control/control_law.h"

namespace polhode {
namespace {

/// The mobility along its principal directions; one that moves less than this share of the easiest is held by joints.
struct PrincipalMobility {
  static constexpr double held = 1e-9;
  Matrix3 axes;
  Vector3 values;  // zero where joints hold

  explicit PrincipalMobility(const Matrix3& mobility) {
    const Eigen::SelfAdjointEigenSolver<Matrix3> solver(mobility);
    axes = solver.eigenvectors();
    values = solver.eigenvalues();
    const double largest = values.cwiseAbs().maxCoeff();
    for (double& value : values)
      if (!(value > held * largest)) value = 0.0;
  }
};

/// (W^2 + mu I)^-1 W a along the principal directions, W^+ a for mu = 0.
Vector3 regularisedForce(const Vector3& mobility, const Vector3& acceleration, double mu) {
  Vector3 force = Vector3::Zero();
  for (Eigen::Index i = 0; i < 3; ++i)
    if (mobility[i] > 0.0) force[i] = mobility[i] * acceleration[i] / (square(mobility[i]) + mu);
  return force;
}

}  // namespace

Vector3 forceFor(const Vector3& acceleration, const Matrix3& mobility) {
  const PrincipalMobility W(mobility);
  return W.axes * regularisedForce(W.values, W.axes.transpose() * acceleration, 0.0);
}

Vector3 forceFor(const Vector3& acceleration, const Matrix3& mobility, double largest) {
  const PrincipalMobility W(mobility);
  const Vector3 wanted = W.axes.transpose() * acceleration;
  Vector3 force = regularisedForce(W.values, wanted, 0.0);
  // Newton's method for 1/|force| = 1/largest, which comes from below and never goes too far (More & Sorensen 1983)
  double mu = 0.0;
  for (int i = 0; i < 30 && force.norm() > largest * (1.0 + 1e-9); ++i) {
    double slope = 0.0;
    for (Eigen::Index k = 0; k < 3; ++k)
      if (W.values[k] > 0.0) slope += square(force[k]) / (square(W.values[k]) + mu);
    mu += (force.norm() / largest - 1.0) * force.squaredNorm() / slope;
    force = regularisedForce(W.values, wanted, mu);
  }
  if (force.norm() > largest) force *= largest / force.norm();
  return W.axes * force;
}

}  // namespace polhode
