#include "polhode/analysis/mechanism_observation.h"

namespace polhode {

Observation observeMechanism(const Mechanism& mechanism, double t, std::span<const MovingPlacement> bodies) {
  Observation o;
  o.time = t;
  o.bodies.reserve(bodies.size());
  for (std::size_t b = 0; b < bodies.size(); ++b)
    o.bodies.push_back(
        mechanism.bodyAt(b, bodies[b].at, bodies[b].rate.v, angularVelocity(mechanism.bodies()[b], bodies[b])));
  o.kineticEnergy = kineticEnergy(mechanism, bodies);
  o.potentialEnergy = potentialEnergy(mechanism, bodies);
  o.linearMomentum = linearMomentum(mechanism, bodies);
  o.angularMomentum = angularMomentum(mechanism, bodies);
  o.positionViolation = positionGap(mechanism, t, bodies).size;
  o.velocityViolation = velocityGap(mechanism, t, bodies).size;
  return o;
}

}  // namespace polhode
