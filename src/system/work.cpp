#include "system/work.h"

#include <algorithm>

namespace polhode {

namespace {

double powerOf(const Wrench& wrench, const MovingPlacement& body) {
  Vector3 turning = Vector3::Zero();  // omega, from D' = omega^ D
  for (int i = 0; i < 3; ++i) turning += 0.5 * body.at.D.col(i).cross(body.rate.W.col(i));
  return wrench.force.dot(body.rate.v) + wrench.torque.dot(turning);
}

template <class Visit>
void forEachWorker(const Mechanism& mechanism, std::span<const MovingPlacement> bodies, const Visit& visit) {
  for (const auto& force : mechanism.forces())
    if (!force->conservative()) visit(*force, motionOf(bodies, force->first()), motionOf(bodies, force->second()));
}

}  // namespace

bool hasWorkers(const Mechanism& mechanism) {
  return mechanism.isDriven() || std::any_of(mechanism.forces().begin(), mechanism.forces().end(),
                                             [](const auto& force) { return !force->conservative(); });
}

double powerOfForces(const Mechanism& mechanism, double t, std::span<const MovingPlacement> bodies) {
  double power = 0.0;
  forEachWorker(mechanism, bodies,
                [&](const ForceElement& force, const MovingPlacement& first, const MovingPlacement& second) {
                  const ElementWrenches wrenches = force.wrenches(t, first, second);
                  power += powerOf(wrenches.first, first) + powerOf(wrenches.second, second);
                });
  return power;
}

double powerOfDrives(const Mechanism& mechanism, double t, std::span<const MovingPlacement> bodies,
                     const VectorX& pulls) {
  double power = 0.0;
  for (const MechanismJoint& joint : mechanism.joints())
    for (int k = 0; k < joint.rows(); ++k)
      power -= pulls[joint.firstRow + k] * joint.equations[static_cast<std::size_t>(k)].drivenRate(
                                               t, motionOf(bodies, joint.first).at, motionOf(bodies, joint.second).at);
  return power;
}

double storedByWorkers(const Mechanism& mechanism, std::span<const MovingPlacement> bodies) {
  double energy = 0.0;
  forEachWorker(mechanism, bodies,
                [&](const ForceElement& force, const MovingPlacement& first, const MovingPlacement& second) {
                  energy += force.potential(first.at, second.at);
                });
  return energy;
}

}  // namespace polhode
