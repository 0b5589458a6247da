#include "math/quaternion.h"
#include "system/forces/load.h"

namespace polhode {

namespace {

double midTime(const ElementStep& step) {
  return 0.5 * (step.t0 + step.t1);
}

}  // namespace

Wrench PointLoad::at(double t, const Matrix3& D) const {
  const Vector3 given = scale_.value(t) * force_.value(t), force = inBody_ ? Vector3(D * given) : given;
  return {force, (D * point_).cross(force)};
}

ElementWrenches PointLoad::wrenches(double t, const MovingPlacement&, const MovingPlacement& second) const {
  return {{}, at(t, second.at.D)};
}

ElementWrenches PointLoad::meanWrenches(const ElementStep& step) const {
  return {{}, at(midTime(step), step.secondMean().D)};
}

void PointLoad::meanWrenchesJacobian(const ElementStep& step, ElementJacobian& jacobian) const {
  jacobian.setZero();
  const Matrix3 mean = step.secondMean().D;
  const Wrench wrench = at(midTime(step), mean);
  Matrix3 turned = Matrix3::Zero();  // of the force, by the turn of D1
  if (inBody_) {
    const double t = midTime(step);
    turned = -0.5 * scale_.value(t) * hat(Vector3(step.second1.D * force_.value(t)));
  }
  jacobian.block<3, 3>(6, 9) = turned;
  jacobian.block<3, 3>(9, 9) =
      hat(Vector3(mean * point_)) * turned + 0.5 * hat(wrench.force) * hat(Vector3(step.second1.D * point_));
}

Wrench TorqueLoad::at(double t, const Matrix3& D) const {
  const Vector3 given = scale_.value(t) * torque_.value(t);
  return {Vector3::Zero(), inBody_ ? Vector3(D * given) : given};
}

ElementWrenches TorqueLoad::wrenches(double t, const MovingPlacement&, const MovingPlacement& second) const {
  return {{}, at(t, second.at.D)};
}

ElementWrenches TorqueLoad::meanWrenches(const ElementStep& step) const {
  return {{}, at(midTime(step), step.secondMean().D)};
}

void TorqueLoad::meanWrenchesJacobian(const ElementStep& step, ElementJacobian& jacobian) const {
  jacobian.setZero();
  if (!inBody_) return;
  const double t = midTime(step);
  jacobian.block<3, 3>(9, 9) = -0.5 * scale_.value(t) * hat(Vector3(step.second1.D * torque_.value(t)));
}

}  // namespace polhode
