#include "math/quaternion.h"
#include "system/forces/load.h"
#include "system/varied_motion.h"

namespace polhode {

namespace {

double midTime(const ElementStep& step) {
  return 0.5 * (step.t0 + step.t1);
}

Wrench changeIn(const WrenchOf<Varied>& wrench) {
  return {changesIn(wrench.force), changesIn(wrench.torque)};
}

}  // namespace

template <class Scalar>
WrenchOf<Scalar> PointLoad::at(double t, const Eigen::Matrix<Scalar, 3, 3>& D) const {
  const Vector3 given = scale_.value(t) * force_.value(t);
  Vector<Scalar, 3> force = given.cast<Scalar>();
  if (inBody_) force = D * given;
  return {force, (D * point_).cross(force)};
}

ElementWrenches PointLoad::wrenches(double t, const MovingPlacement&, const MovingPlacement& second) const {
  return {{}, at(t, second.at.D)};
}

ElementWrenches PointLoad::wrenchChange(double t, const MovingPlacement&, const MovingPlacement& second,
                                        const MovingPlacement&, const MovingPlacement& secondChange) const {
  return {{}, changeIn(at(t, varied(second.at.D, secondChange.at.D)))};
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

template <class Scalar>
WrenchOf<Scalar> TorqueLoad::at(double t, const Eigen::Matrix<Scalar, 3, 3>& D) const {
  const Vector3 given = scale_.value(t) * torque_.value(t);
  WrenchOf<Scalar> result;
  result.torque = given.cast<Scalar>();
  if (inBody_) result.torque = D * given;
  return result;
}

ElementWrenches TorqueLoad::wrenches(double t, const MovingPlacement&, const MovingPlacement& second) const {
  return {{}, at(t, second.at.D)};
}

ElementWrenches TorqueLoad::wrenchChange(double t, const MovingPlacement&, const MovingPlacement& second,
                                         const MovingPlacement&, const MovingPlacement& secondChange) const {
  return {{}, changeIn(at(t, varied(second.at.D, secondChange.at.D)))};
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
