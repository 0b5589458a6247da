#include "polhode/server/hand.h"

#include "polhode/math/euler_map.h"
#include "polhode/math/principal_axes.h"
#include "polhode/math/quaternion.h"

namespace polhode::live {

namespace {

/// The inverse of an inertia; nothing turns about an axis without one.
Matrix3 inverseInertia(const Matrix3& inertia) {
  const Matrix3 axes = principalAxes(inertia);
  const Vector3 moments = (axes.transpose() * inertia * axes).diagonal();
  Vector3 inverse = Vector3::Zero();
  for (int i = 0; i < 3; ++i)
    if (moments[i] > 1e-9 * moments.maxCoeff()) inverse[i] = 1.0 / moments[i];
  return axes * inverse.asDiagonal() * axes.transpose();
}

}  // namespace

Matrix3 pointMobility(const Body& state, const Vector3& point) {
  const Matrix3 R = rotationMatrix(state.orientation);
  const Matrix3 arm = hat<double>(point);
  const Matrix3 inBody = Matrix3::Identity() / state.mass - arm * inverseInertia(state.inertia) * arm;
  return R * inBody * R.transpose();
}

Hand::Hand(std::size_t body, const Vector3& point, const Vector3& target, const HandLaw& law)
    : body_(body), point_(point), target_(target), law_(makeLaw(law)) {}

RecedingHorizonLaw<Translation> Hand::makeLaw(const HandLaw& law) {
  return RecedingHorizonLaw<Translation>({law.timeConstant, law.largestForce, 0.5});
}

void Hand::moveTo(double time, const Vector3& target) {
  target_ = target;
  isFirst_ = false;
  law_.observe({time, target});
}

void Hand::follow(const HandLaw& law) {
  law_ = makeLaw(law);
  isFirst_ = true;
}

Vector3 Hand::pointInSpace(const Body& state) const {
  return state.position + rotationMatrix(state.orientation) * point_;
}

Vector3 Hand::force(const Body& state, double time, double step, const Vector3& gravity) {
  if (isFirst_) moveTo(time, target_);
  const Matrix3 R = rotationMatrix(state.orientation);
  DrivenState<Translation> driven;
  driven.time = time;
  driven.step = step;
  driven.place = pointInSpace(state);
  driven.velocity = state.velocity + R * state.angularVelocity.cross(point_);
  driven.mobility = pointMobility(state, point_);
  driven.freeAcceleration = gravity + R * state.angularVelocity.cross(state.angularVelocity.cross(point_));
  return law_.force(driven);
}

}  // namespace polhode::live
