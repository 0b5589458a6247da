#include "math/quaternion.h"
#include "system/forces/load.h"
#include "system/varied_motion.h"

namespace polhode {

namespace {

double midTime(const ElementStep& step) {
  return 0.5 * (step.t0 + step.t1);
}

}  // namespace

template <class Kind>
template <class Scalar>
WrenchOf<Scalar> LoadOf<Kind>::at(double t, const Eigen::Matrix<Scalar, 3, 3>& D) const {
  const Vector3 given = scale_.value(t) * given_.value(t);
  Vector<Scalar, 3> vector = given.cast<Scalar>();
  if (inBody_) vector = D * given;
  return static_cast<const Kind&>(*this).wrench(vector, D);
}

template <class Kind>
ElementWrenches LoadOf<Kind>::wrenches(double t, const MovingPlacement&, const MovingPlacement& second) const {
  return {{}, at(t, second.at.D)};
}

template <class Kind>
ElementWrenches LoadOf<Kind>::wrenchChange(double t, const MovingPlacement&, const MovingPlacement& second,
                                           const MovingPlacement&, const MovingPlacement& secondChange) const {
  const WrenchOf<Varied> wrench = at(t, varied(second.at.D, secondChange.at.D));
  return {{}, {changesIn(wrench.force), changesIn(wrench.torque)}};
}

template <class Kind>
ElementWrenches LoadOf<Kind>::meanWrenches(const ElementStep& step) const {
  return {{}, at(midTime(step), step.secondMean().D)};
}

template <class Kind>
Matrix3 LoadOf<Kind>::turned(const ElementStep& step) const {
  if (!inBody_) return Matrix3::Zero();
  const double t = midTime(step);
  return -0.5 * scale_.value(t) * hat(Vector3(step.second1.D * given_.value(t)));
}

template class LoadOf<PointLoad>;
template class LoadOf<TorqueLoad>;

void PointLoad::meanWrenchesJacobian(const ElementStep& step, ElementJacobian& jacobian) const {
  jacobian.setZero();
  const Matrix3 change = turned(step);
  const Vector3 force = meanWrenches(step).second.force;
  jacobian.block<3, 3>(6, 9) = change;
  jacobian.block<3, 3>(9, 9) =
      hat(Vector3(step.secondMean().D * point_)) * change + 0.5 * hat(force) * hat(Vector3(step.second1.D * point_));
}

void TorqueLoad::meanWrenchesJacobian(const ElementStep& step, ElementJacobian& jacobian) const {
  jacobian.setZero();
  jacobian.block<3, 3>(9, 9) = turned(step);
}

}  // namespace polhode
