#include "control/hand_rack.h"

#include "control/control_methods.h"
#include "control/held.h"
#include "math/spurrier_klumpp.h"
#include "model/number_of.h"
#include "polhode/error.h"
#include "system/mechanism_extent.h"

#include <algorithm>

#include <fmt/format.h>

namespace polhode {

namespace {

Held heldBy(const Actuator& actuator, const Mechanism& mechanism) {
  const auto unknown = [&](const char* kind) {
    return fmt::format("actuator {} holds an unknown {}", quoted(actuator.name), kind);
  };
  Held held;
  held.quantity = actuator.quantity;
  if (actuator.quantity != LedQuantity::coordinate) {
    const std::size_t body = numberOf(mechanism.bodies(), actuator.body, unknown("body"));
    const Placement& at = mechanism.bodies()[body].placement;
    held.body = static_cast<int>(body);
    held.point = at.D.transpose() * (actuator.point - at.x);
    held.start = unitQuaternionFromRotation(at.D);
    return held;
  }
  const std::size_t joint = numberOf(mechanism.joints(), actuator.joint, unknown("joint"));
  const auto& coordinates = mechanism.joints()[joint].type->coordinates;
  if (coordinates.empty())
    throw InputError(fmt::format("actuator {} holds joint {}, which has no coordinate; choose another joint",
                                 quoted(actuator.name), quoted(actuator.joint)));
  held.joint = static_cast<int>(joint);
  if (!actuator.coordinate.empty()) held.coordinate = numberOf(coordinates, actuator.coordinate, unknown("coordinate"));
  return held;
}

}  // namespace

HandRack::HandRack(const Mechanism& mechanism, const std::vector<Actuator>& actuators, double shareOfStep)
    : mechanism_(mechanism), shareOfStep_(shareOfStep), actuators_(actuators.size()) {
  for (const Actuator& actuator : actuators) {
    const bool turns = actuator.quantity == LedQuantity::orientation;
    const auto makeLaws = [turns, settings = actuator.control, shareOfStep] {
      return turns ? HandLaws{nullptr, makeControlLaw<Rotation>(settings, shareOfStep)}
                   : HandLaws{makeControlLaw<Translation>(settings, shareOfStep), nullptr};
    };
    hands_.push_back(std::make_unique<Hand>(heldBy(actuator, mechanism), actuator.follow, makeLaws));
  }
  observeUntil(0.0);
}

Hand& HandRack::grab(std::size_t body, const Vector3& point, const HandLaw& law) {
  const Held held = heldPoint(mechanism_, body, point);
  const Vector3 inertia = mechanism_.bodies()[body].inertia;
  const auto makeLaws = [law, inertia, size = extentOf(mechanism_).size, share = shareOfStep_] {
    return lawsOf(law, inertia, size, share);
  };
  return *hands_.emplace_back(std::make_unique<Hand>(held, LiveSource{}, makeLaws, true));
}

Hand& HandRack::grabOrientation(std::size_t body, const Quaternion& orientation, const HandLaw& law) {
  const Held held = heldOrientation(mechanism_, body, orientation);
  const auto makeLaws = [law, size = extentOf(mechanism_).size, share = shareOfStep_] {
    return lawsOfTurning(law, size, share);
  };
  return *hands_.emplace_back(std::make_unique<Hand>(held, LiveSource{}, makeLaws, true));
}

Hand& HandRack::grabCoordinate(std::size_t joint, std::size_t coordinate, const HandLaw& law) {
  const Held held = heldCoordinate(mechanism_, joint, coordinate);
  const JointType& type = *mechanism_.joints()[static_cast<std::size_t>(held.joint)].type;
  const bool turns = type.coordinates[coordinate].kind == MotionKind::rotation;
  const auto makeLaws = [law, turns, size = extentOf(mechanism_).size, share = shareOfStep_] {
    return lawsOfCoordinate(law, turns, size, share);
  };
  return *hands_.emplace_back(std::make_unique<Hand>(held, LiveSource{}, makeLaws, true));
}

void HandRack::release(Hand& hand) {
  const auto grabbed = hands_.begin() + static_cast<std::ptrdiff_t>(actuators_);
  if (std::none_of(hands_.begin(), grabbed, [&](const auto& each) { return each.get() == &hand; }))
    hands_.erase(std::remove_if(grabbed, hands_.end(), [&](const auto& each) { return each.get() == &hand; }),
                 hands_.end());
  else
    hand.release();
}

void HandRack::persist(Archive& archive) {
  archive.section("hands");
  for (std::size_t i = 0; i < actuators_; ++i) hands_[i]->persist(archive);
}

void HandRack::observeUntil(double time) {
  for (const auto& hand : hands_) hand->observeUntil(time);
}

}  // namespace polhode
