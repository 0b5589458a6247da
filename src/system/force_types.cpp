#include "model/force_type.h"
#include "model/suggestion.h"
#include "polhode/error.h"
#include "system/force_site.h"

#include <algorithm>

#include <fmt/format.h>

namespace polhode {

namespace forces {
ForceType spring();
ForceType damper();
ForceType bushing();
ForceType jointSpring();
ForceType jointDamper();
ForceType jointMotor();
ForceType load();
ForceType torque();
}  // namespace forces

const std::vector<ForceType>& forceTypes() {
  using namespace forces;
  static const std::vector<ForceType> all = {spring(),      damper(),     bushing(), jointSpring(),
                                             jointDamper(), jointMotor(), load(),    torque()};
  return all;
}

const ForceType* typeOf(const Force& force) {
  if (force.own) return force.own.get();
  const auto& all = forceTypes();
  const auto found =
      std::find_if(all.begin(), all.end(), [&](const ForceType& type) { return type.name == force.type; });
  return found == all.end() ? nullptr : &*found;
}

ForceSite::ForceSite(const Mechanism& mechanism) : mechanism_(mechanism), bodies_{{"ground", groundIndex}} {
  for (std::size_t b = 0; b < mechanism.bodies().size(); ++b)
    bodies_.emplace(mechanism.bodies()[b].name, static_cast<int>(b));
  for (std::size_t j = 0; j < mechanism.joints().size(); ++j)
    joints_.emplace(mechanism.joints()[j].name, static_cast<int>(j));
}

int ForceSite::body(const Force& force, const std::string& name) const {
  const auto found = bodies_.find(name);
  if (found == bodies_.end())
    throw InputError(fmt::format("force {} acts on an unknown body {}", quoted(force.name), quoted(name)));
  return found->second;
}

const MechanismJoint& ForceSite::joint(const Force& force) const {
  const auto found = joints_.find(force.joint);
  if (found == joints_.end())
    throw InputError(fmt::format("force {} acts on an unknown joint {}", quoted(force.name), quoted(force.joint)));
  return mechanism_.joints()[static_cast<std::size_t>(found->second)];
}

const JointCoordinateInfo& ForceSite::coordinate(const Force& force) const {
  const JointType& type = *joint(force).type;
  if (type.coordinates.empty())
    throw InputError(fmt::format("force {} acts on joint {}, and a {} joint has no coordinate; choose another joint",
                                 quoted(force.name), quoted(force.joint), type.name));
  if (force.coordinate.empty()) return type.coordinates.front();
  std::vector<std::string> known;
  for (const JointCoordinateInfo& each : type.coordinates) {
    if (each.name == force.coordinate) return each;
    known.push_back(each.name);
  }
  throw InputError(fmt::format("force {} acts on an unknown coordinate {} of joint {}; {}", quoted(force.name),
                               quoted(force.coordinate), quoted(force.joint), suggestion(force.coordinate, known)));
}

Vector3 ForceSite::pointInBody(int body, const Vector3& point) const {
  if (body == groundIndex) return point;
  const Placement& at = mechanism_.bodies()[static_cast<std::size_t>(body)].placement;
  return at.D.transpose() * (point - at.x);
}

Matrix3 ForceSite::axesInBody(int body, const Matrix3& axes) const {
  if (body == groundIndex) return axes;
  return mechanism_.bodies()[static_cast<std::size_t>(body)].placement.D.transpose() * axes;
}

Vector3 ForceSite::inPrincipalAxes(int body, const Vector3& vector) const {
  if (body == groundIndex) return vector;
  return mechanism_.bodies()[static_cast<std::size_t>(body)].axes.transpose() * vector;
}

}  // namespace polhode
