#include "analysis/mechanism_observation.h"

#include "math/euler_map.h"

namespace polhode {

Balance balanceOf(const JointGaps& gaps, double t, std::span<const MovingPlacement> bodies) {
  const MechanismSums sums = sumsOf(gaps.mechanism(), bodies);
  const auto [position, velocity] = gaps.at(t, bodies);
  return {.time = t,
          .kineticEnergy = sums.kineticEnergy,
          .potentialEnergy = sums.potentialEnergy,
          .nodeEnergy = std::nullopt,
          .linearMomentum = sums.linearMomentum,
          .angularMomentum = sums.angularMomentum,
          .centreOfMass = sums.centreOfMass,
          .positionViolation = position.size,
          .velocityViolation = velocity.size,
          .p = {}};
}

Observation observeMechanism(const Mechanism& mechanism, double t, std::span<const MovingPlacement> bodies) {
  Observation o(balanceOf(JointGaps(mechanism), t, bodies));
  o.bodies.reserve(bodies.size());
  for (std::size_t b = 0; b < bodies.size(); ++b)
    o.bodies.push_back(
        mechanism.bodyAt(b, bodies[b].at, bodies[b].rate.v, angularVelocity(mechanism.bodies()[b], bodies[b])));
  return o;
}

MechanismMotion mechanismMotion(const Mechanism& mechanism, const std::vector<Body>& bodies) {
  MechanismMotion motion;
  for (std::size_t b = 0; b < bodies.size(); ++b) {
    const Matrix3& axes = mechanism.bodies()[b].axes;
    const Placement at{bodies[b].position, rotationMatrix(bodies[b].orientation) * axes};
    motion.push_back(movingPlacement(at, bodies[b].velocity, axes.transpose() * bodies[b].angularVelocity));
  }
  return motion;
}

std::vector<Wrench> wrenchesOf(const std::map<std::size_t, BodyLoad>& loads, const std::vector<Wrench>& pulls,
                               std::span<const MovingPlacement> bodies) {
  std::vector<Wrench> wrenches = pulls;
  if (!loads.empty()) wrenches.resize(bodies.size());
  for (const auto& [body, load] : loads) {
    const Wrench wrench = load.wrench(bodies[body].at.D);
    wrenches[body].force += wrench.force;
    wrenches[body].torque += wrench.torque;
  }
  return wrenches;
}

}  // namespace polhode
