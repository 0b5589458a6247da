#include "analysis/observation_changes.h"

#include "analysis/joint_watch.h"
#include "math/quaternion.h"

namespace polhode {

ObservationChanges::ObservationChanges(const Model& model, std::shared_ptr<const Mechanism> mechanism, double t,
                                       const MechanismMotion& bodies, const Observation& at)
    : mechanism_(mechanism),
      time_(t),
      bodies_(bodies),
      velocities_(velocitiesOf(bodies)),
      at_(at),
      dynamics_(std::move(mechanism), t, bodies),
      sensors_(model, at) {}

Observation ObservationChanges::along(const VectorX& place, const VectorX& velocity, const VectorX& pull) const {
  const VariedMotion moving = variedMotion(bodies_, place, velocities_, velocity);
  const InstantChange::Changes change = dynamics_.along(moving, pull);
  Observation changes;
  tellSums(changes, moving);
  tellBodies(changes, place, velocity, change.accelerations);
  changes.joints = jointChanges(*mechanism_, moving, change.reactions);
  tellForces(changes, moving);
  sensors_.tellChanges(at_, changes);
  return changes;
}

void ObservationChanges::tellBodies(Observation& changes, const VectorX& place, const VectorX& velocity,
                                    const VectorX& acceleration) const {
  for (std::size_t b = 0; b < bodies_.size(); ++b) {
    const auto move = static_cast<Eigen::Index>(6 * b), turn = move + 3;
    const Matrix3 R = bodies_[b].at.D * mechanism_->bodies()[b].axes.transpose();
    const Vector3 theta = place.segment<3>(turn);
    // what stands along the body's axes, R^T a
    const auto inBody = [&](const VectorX& values, const VectorX& change) {
      return Vector3(R.transpose() * (change.segment<3>(turn) - theta.cross(values.segment<3>(turn))));
    };
    Body body = at_.bodies[b];
    body.position = place.segment<3>(move);
    body.velocity = velocity.segment<3>(move);
    body.angularVelocity = inBody(velocities_, velocity);
    body.orientation = 0.5 * multiply(pureQuaternion(theta), at_.bodies[b].orientation);
    changes.bodies.push_back(std::move(body));
    changes.accelerations.push_back({acceleration.segment<3>(move), inBody(dynamics_.accelerations(), acceleration)});
  }
}

void ObservationChanges::tellSums(Observation& changes, const VariedMotion& moving) const {
  const VectorXOf<Varied> u = velocitiesOf(moving), momentum = timesInertia(*mechanism_, moving, u);
  changes.kineticEnergy = 0.5 * u.dot(momentum).derivative()[0];
  for (std::size_t b = 0; b < moving.size(); ++b) {
    const auto at = static_cast<Eigen::Index>(6 * b);
    const Vector<Varied, 3> linear = momentum.segment<3>(at), spin = momentum.segment<3>(at + 3);
    changes.linearMomentum += changesIn(linear);
    changes.angularMomentum += changesIn(Vector<Varied, 3>(moving[b].at.x.cross(linear) + spin));
    changes.potentialEnergy -= mechanism_->bodies()[b].mass * mechanism_->gravity().dot(changesIn(moving[b].at.x));
  }
  for (const auto& element : mechanism_->forces()) {
    const auto &first = motionOf(moving, element->first()), &second = motionOf(moving, element->second());
    changes.potentialEnergy +=
        element->potentialChange(motionIn(first).at, motionIn(second).at, changeIn(first).at, changeIn(second).at);
  }
}

void ObservationChanges::tellForces(Observation& changes, const VariedMotion& moving) const {
  for (const auto& element : mechanism_->forces()) {
    const auto &first = motionOf(moving, element->first()), &second = motionOf(moving, element->second());
    const MovingPlacement one = motionIn(first), other = motionIn(second), oneChange = changeIn(first),
                          otherChange = changeIn(second);
    const Wrench at = element->wrenches(time_, one, other).second,
                 change = element->wrenchChange(time_, one, other, oneChange, otherChange).second;
    const Vector3 arm = other.at.D * element->pointOnSecond(), armChange = otherChange.at.D * element->pointOnSecond();
    changes.forces.push_back({element->name(), change.force,
                              change.torque - armChange.cross(at.force) - arm.cross(change.force),
                              element->quantityChanges(time_, one, other, oneChange, otherChange)});
  }
}

}  // namespace polhode
