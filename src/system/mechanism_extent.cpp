#include "system/mechanism_extent.h"

#include "system/mechanism_observation.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>

namespace polhode {

MechanismExtent extentOf(const Mechanism& mechanism) {
  Eigen::AlignedBox3d box;
  for (const MechanismBody& body : mechanism.bodies()) {
    const double radius = body.mass > 0.0 ? std::sqrt(body.inertia.maxCoeff() / body.mass) : 0.0;
    box.extend(Vector3(body.placement.x.array() - radius));
    box.extend(Vector3(body.placement.x.array() + radius));
  }
  for (const MechanismJoint& joint : mechanism.joints()) {
    const auto pointOf = [&](int body, const Vector3& point) -> Vector3 {
      return body == groundIndex ? point : mechanism.bodies()[static_cast<std::size_t>(body)].placement.point(point);
    };
    box.extend(pointOf(joint.first, joint.geometry.first.point));
    box.extend(pointOf(joint.second, joint.geometry.second.point));
  }
  MechanismExtent extent;
  const double diagonal = box.isEmpty() ? 0.0 : box.diagonal().norm();
  extent.size = mechanismSize(mechanism);
  if (diagonal > 0.0) extent.size = std::min(extent.size, diagonal);
  if (diagonal > 0.0 && box.center().norm() > 10.0 * diagonal) extent.origin = box.center();
  return extent;
}

}  // namespace polhode
