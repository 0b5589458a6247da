#include "control/actuation.h"

#include "math/spurrier_klumpp.h"
#include "model/suggestion.h"
#include "polhode/error.h"

#include <algorithm>

#include <fmt/format.h>

namespace polhode {

namespace {

template <class Part>
std::size_t numberOf(const std::vector<Part>& parts, const std::string& name, const Actuator& actuator,
                     const char* kind) {
  const auto found = std::find_if(parts.begin(), parts.end(), [&](const Part& part) { return part.name == name; });
  if (found == parts.end())
    throw InputError(fmt::format("actuator {} holds an unknown {} {}", quoted(actuator.name), kind, quoted(name)));
  return static_cast<std::size_t>(found - parts.begin());
}

}  // namespace

Actuation::Actuation(const Model& model, const Mechanism& mechanism, double shareOfStep) {
  for (const Actuator& actuator : model.actuators) {
    grips_.push_back(gripOf(actuator, model, mechanism));
    const Quaternion start =
        actuator.quantity == LedQuantity::orientation
            ? unitQuaternionFromRotation(mechanism.bodies()[static_cast<std::size_t>(grips_.back().body)].placement.D)
            : Quaternion(1.0, 0.0, 0.0, 0.0);
    followers_.push_back(std::make_unique<Follower>(actuator, start, shareOfStep));
  }
  forces_.resize(grips_.size());
  observeUntil(0.0);
}

Grip Actuation::gripOf(const Actuator& actuator, const Model& model, const Mechanism& mechanism) const {
  Grip grip;
  if (actuator.quantity != LedQuantity::coordinate) {
    const std::size_t body = numberOf(model.bodies, actuator.body, actuator, "body");
    const Placement& at = mechanism.bodies()[body].placement;
    grip.body = static_cast<int>(body);
    grip.point = at.D.transpose() * (actuator.point - at.x);
    return grip;
  }
  const std::size_t joint = numberOf(model.joints, actuator.joint, actuator, "joint");
  const auto& coordinates = mechanism.joints()[joint].type->coordinates;
  if (coordinates.empty())
    throw InputError(fmt::format("actuator {} holds joint {}, which has no coordinate; choose another joint",
                                 quoted(actuator.name), quoted(actuator.joint)));
  grip.joint = static_cast<int>(joint);
  if (!actuator.coordinate.empty())
    grip.coordinate = numberOf(coordinates, actuator.coordinate, actuator, "coordinate");
  return grip;
}

void Actuation::persist(Archive& archive) {
  archive.section("actuation");
  for (const auto& follower : followers_) follower->persist(archive);
  archive(forces_);
}

void Actuation::observeUntil(double time) {
  for (std::size_t i = 0; i < followers_.size(); ++i) {
    Follower& follower = *followers_[i];
    follower.observeUntil(time);
    grips_[i].translation = follower.holds() ? follower.translation() : nullptr;
    grips_[i].rotation = follower.holds() ? follower.rotation() : nullptr;
  }
}

}  // namespace polhode
