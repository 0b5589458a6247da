#include "system/mechanism_observation.h"

#include "math/quaternion.h"

#include <algorithm>
#include <cmath>

namespace polhode {

namespace {

/// sum_i E_i d_i cross w_i, in space.
Vector3 spin(const MechanismBody& body, const MovingPlacement& motion) {
  Vector3 sum = Vector3::Zero();
  for (int i = 0; i < 3; ++i) sum += body.secondMoments[i] * motion.at.D.col(i).cross(motion.rate.W.col(i));
  return sum;
}

double energyOf(const MechanismBody& body, const PlacementRate& rate) {
  return 0.5 * body.mass * rate.v.squaredNorm() +
         0.5 * body.secondMoments.dot(rate.W.colwise().squaredNorm().transpose());
}

}  // namespace

const MovingPlacement& motionOf(std::span<const MovingPlacement> bodies, int index) {
  static const MovingPlacement ground;
  return index == groundIndex ? ground : bodies[static_cast<std::size_t>(index)];
}

MovingPlacement movingPlacement(const Placement& at, const Vector3& velocity, const Vector3& angularVelocity) {
  return {at, {velocity, at.D * hat(angularVelocity)}};
}

MechanismMotion initialMotion(const Mechanism& mechanism) {
  MechanismMotion motion;
  motion.reserve(mechanism.bodies().size());
  for (const MechanismBody& body : mechanism.bodies())
    motion.push_back(movingPlacement(body.placement, body.velocity, body.angularVelocity));
  return motion;
}

double kineticEnergy(const Mechanism& mechanism, std::span<const MovingPlacement> bodies) {
  double energy = 0.0;
  for (std::size_t b = 0; b < bodies.size(); ++b) energy += energyOf(mechanism.bodies()[b], bodies[b].rate);
  return energy;
}

double potentialEnergy(const Mechanism& mechanism, std::span<const MovingPlacement> bodies) {
  return sumsOf(mechanism, bodies).potentialEnergy;
}

MechanismSums sumsOf(const Mechanism& mechanism, std::span<const MovingPlacement> bodies) {
  MechanismSums sums;
  double mass = 0.0;
  Vector3 moment = Vector3::Zero();
  for (std::size_t b = 0; b < bodies.size(); ++b) {
    const MechanismBody& body = mechanism.bodies()[b];
    const auto& [at, rate] = bodies[b];
    sums.kineticEnergy += energyOf(body, rate);
    const Vector3 momentum = body.mass * rate.v, momentOfMass = body.mass * at.x;
    sums.linearMomentum += momentum;
    sums.angularMomentum += at.x.cross(momentum) + spin(body, bodies[b]);
    sums.potentialEnergy -= mechanism.gravity().dot(momentOfMass);
    mass += body.mass;
    moment += momentOfMass;
  }
  for (const auto& force : mechanism.forces())
    sums.potentialEnergy += force->potential(motionOf(bodies, force->first()).at, motionOf(bodies, force->second()).at);
  if (mass > 0.0) sums.centreOfMass = moment / mass;
  return sums;
}

Vector3 angularVelocity(const MechanismBody& body, const MovingPlacement& motion) {
  const Vector3 momentum = motion.at.D.transpose() * spin(body, motion);
  Vector3 Omega = unhat(Matrix3(motion.at.D.transpose() * motion.rate.W));
  for (int i = 0; i < 3; ++i)
    if (body.inertia[i] > 1e-12 * body.inertia.maxCoeff()) Omega[i] = momentum[i] / body.inertia[i];
  return Omega;
}

double mechanismSize(const Mechanism& mechanism) {
  double size = 0.0;
  for (const MechanismBody& body : mechanism.bodies()) size = std::max(size, body.placement.x.norm());
  for (const MechanismJoint& joint : mechanism.joints())
    size = std::max({size, joint.geometry.first.point.norm(), joint.geometry.second.point.norm()});
  return size > 0.0 ? size : 1.0;
}

}  // namespace polhode
