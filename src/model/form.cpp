#include "polhode/model/form.h"

namespace polhode {

Form pointForm(const Vector3& direction, const Vector3& firstPoint, const Vector3& secondPoint) {
  return {FormKind::point, direction, Vector3::Zero(), firstPoint, secondPoint};
}

Form axesForm(const Vector3& firstAxis, const Vector3& secondAxis) {
  return {FormKind::axes, firstAxis, secondAxis, Vector3::Zero(), Vector3::Zero()};
}

Form axisPointForm(const Vector3& firstAxis, const Vector3& firstPoint, const Vector3& secondPoint) {
  return {FormKind::axisPoint, firstAxis, Vector3::Zero(), firstPoint, secondPoint};
}

Form squaredDistanceForm(const Vector3& firstPoint, const Vector3& secondPoint) {
  return {FormKind::squaredDistance, Vector3::Zero(), Vector3::Zero(), firstPoint, secondPoint};
}

}  // namespace polhode
