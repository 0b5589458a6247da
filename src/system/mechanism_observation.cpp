#include "polhode/system/mechanism_observation.h"

#include "polhode/math/quaternion.h"

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

/// The largest of what `violation` says of each equation of each joint.
template <class Violation>
JointGap largestGap(const Mechanism& mechanism, double t, std::span<const MovingPlacement> bodies,
                    Violation violation) {
  JointGap gap;
  for (std::size_t j = 0; j < mechanism.joints().size(); ++j) {
    const MechanismJoint& joint = mechanism.joints()[j];
    const MovingPlacement &first = motionOf(bodies, joint.first), &second = motionOf(bodies, joint.second);
    for (const JointEquation& equation : joint.equations) {
      double size = std::abs(violation(equation, first, second));
      if (equation.form.kind == FormKind::squaredDistance) size /= 2.0 * std::sqrt(equation.offsetAt(t));
      if (!(size <= gap.size)) gap = {size, static_cast<int>(j)};
    }
  }
  return gap;
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
  for (std::size_t b = 0; b < bodies.size(); ++b) {
    const MechanismBody& body = mechanism.bodies()[b];
    const PlacementRate& rate = bodies[b].rate;
    energy += 0.5 * body.mass * rate.v.squaredNorm() +
              0.5 * body.secondMoments.dot(rate.W.colwise().squaredNorm().transpose());
  }
  return energy;
}

double potentialEnergy(const Mechanism& mechanism, std::span<const MovingPlacement> bodies) {
  double energy = 0.0;
  for (std::size_t b = 0; b < bodies.size(); ++b)
    energy -= mechanism.bodies()[b].mass * mechanism.gravity().dot(bodies[b].at.x);
  for (const auto& force : mechanism.forces())
    energy += force->potential(motionOf(bodies, force->first()).at, motionOf(bodies, force->second()).at);
  return energy;
}

Vector3 linearMomentum(const Mechanism& mechanism, std::span<const MovingPlacement> bodies) {
  Vector3 sum = Vector3::Zero();
  for (std::size_t b = 0; b < bodies.size(); ++b) sum += mechanism.bodies()[b].mass * bodies[b].rate.v;
  return sum;
}

Vector3 angularMomentum(const Mechanism& mechanism, std::span<const MovingPlacement> bodies) {
  Vector3 sum = Vector3::Zero();
  for (std::size_t b = 0; b < bodies.size(); ++b) {
    const MechanismBody& body = mechanism.bodies()[b];
    sum += body.mass * bodies[b].at.x.cross(bodies[b].rate.v) + spin(body, bodies[b]);
  }
  return sum;
}

Vector3 angularVelocity(const MechanismBody& body, const MovingPlacement& motion) {
  const Vector3 momentum = motion.at.D.transpose() * spin(body, motion);
  const Matrix3 W = motion.at.D.transpose() * motion.rate.W;
  Vector3 Omega(0.5 * (W(2, 1) - W(1, 2)), 0.5 * (W(0, 2) - W(2, 0)), 0.5 * (W(1, 0) - W(0, 1)));
  for (int i = 0; i < 3; ++i)
    if (body.inertia[i] > 1e-12 * body.inertia.maxCoeff()) Omega[i] = momentum[i] / body.inertia[i];
  return Omega;
}

JointGap positionGap(const Mechanism& mechanism, double t, std::span<const MovingPlacement> bodies) {
  return largestGap(mechanism, t, bodies,
                    [t](const JointEquation& equation, const MovingPlacement& first, const MovingPlacement& second) {
                      return equation.gap(t, first.at, second.at);
                    });
}

JointGap velocityGap(const Mechanism& mechanism, double t, std::span<const MovingPlacement> bodies) {
  return largestGap(mechanism, t, bodies,
                    [t](const JointEquation& equation, const MovingPlacement& first, const MovingPlacement& second) {
                      return equation.rate(t, first, second);
                    });
}

double mechanismSize(const Mechanism& mechanism) {
  double size = 0.0;
  for (const MechanismBody& body : mechanism.bodies()) size = std::max(size, body.placement.x.norm());
  for (const MechanismJoint& joint : mechanism.joints())
    size = std::max({size, joint.geometry.first.point.norm(), joint.geometry.second.point.norm()});
  return size > 0.0 ? size : 1.0;
}

}  // namespace polhode
