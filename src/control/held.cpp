#include "control/held.h"

#include "math/euler_map.h"
#include "math/spurrier_klumpp.h"
#include "model/suggestion.h"
#include "polhode/error.h"

#include <algorithm>

#include <fmt/format.h>

namespace polhode {

Held heldPoint(const Mechanism& mechanism, std::size_t body, const Vector3& point) {
  return {.body = static_cast<int>(body), .point = mechanism.bodies().at(body).axes.transpose() * point};
}

Held heldOrientation(const Mechanism& mechanism, std::size_t body, const Quaternion& orientation) {
  const MechanismBody& taken = mechanism.bodies().at(body);
  if (!(taken.inertia.maxCoeff() > 0.0))
    throw InputError(fmt::format("body {} has no moments of inertia, so that no torque turns it; pull it instead",
                                 quoted(taken.name)));
  return {.quantity = LedQuantity::orientation,
          .body = static_cast<int>(body),
          .start = unitQuaternionFromRotation(rotationMatrix(orientation) * taken.axes)};
}

Held heldCoordinate(const Mechanism& mechanism, std::size_t joint, std::size_t coordinate) {
  const std::vector<MechanismJoint>& joints = mechanism.joints();
  const auto found =
      std::find_if(joints.begin(), joints.end(), [&](const MechanismJoint& each) { return each.ofModel == joint; });
  if (found == joints.end() || coordinate >= found->type->coordinates.size())
    throw InputError(fmt::format("joint {} has no coordinate {} to be led; choose another one", joint, coordinate));
  return {
      .quantity = LedQuantity::coordinate, .joint = static_cast<int>(found - joints.begin()), .coordinate = coordinate};
}

}  // namespace polhode
