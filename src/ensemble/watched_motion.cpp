#include "ensemble/watched_motion.h"

#include "system/mechanism_observation.h"

#include <algorithm>

namespace polhode::ensemble {

std::optional<Watched> watchedBy(const Observable& observable, const Model& model) {
  if (observable.kind == ObservedKind::whole && observable.quantity == "energy") return Watched{};
  if (observable.kind != ObservedKind::body) return std::nullopt;
  const auto body = std::find_if(model.bodies.begin(), model.bodies.end(),
                                 [&](const Body& each) { return each.name == observable.owner; });
  if (body == model.bodies.end() || observable.component.size() != 1) return std::nullopt;
  const bool isFixed = std::any_of(model.joints.begin(), model.joints.end(), [&](const Joint& joint) {
    return joint.type == "fixed" && (joint.first == body->name || joint.second == body->name);
  });
  Watched watched{WatchedQuantity::position, static_cast<std::size_t>(body - model.bodies.begin()),
                  observable.component[0] - 'x'};
  if (observable.quantity == "velocity")
    watched.quantity = WatchedQuantity::velocity;
  else if (observable.quantity == "angular_velocity" && !isFixed)
    watched.quantity = WatchedQuantity::angularVelocity;
  else if (observable.quantity != "position")
    return std::nullopt;
  const bool isHeld = isFixed && std::any_of(model.joints.begin(), model.joints.end(), [](const Joint& joint) {
                        return joint.type == "fixed" && (joint.first == "ground" || joint.second == "ground");
                      });
  if (isHeld) return std::nullopt;  // perhaps it is in the ground, which is not watched
  return watched;
}

double valueOf(const Watched& watched, const Mechanism& mechanism, std::span<const MovingPlacement> bodies) {
  if (watched.quantity == WatchedQuantity::energy) {
    const MechanismSums sums = sumsOf(mechanism, bodies);
    return sums.kineticEnergy + sums.potentialEnergy;
  }
  const MovingPlacement& body = bodies[watched.body];
  if (watched.quantity == WatchedQuantity::position) return body.at.x[watched.component];
  if (watched.quantity == WatchedQuantity::velocity) return body.rate.v[watched.component];
  const MechanismBody& its = mechanism.bodies()[watched.body];
  const Vector3 turning = its.axes * angularVelocity(its, body);
  return turning[watched.component];
}

}  // namespace polhode::ensemble
