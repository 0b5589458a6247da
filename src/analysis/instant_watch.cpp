#include "analysis/instant_watch.h"

#include "analysis/mechanism_observation.h"
#include "polhode/error.h"
#include "system/instant_dynamics.h"
#include "system/joint_reaction.h"
#include "system/sparse_dynamics.h"

#include <algorithm>
#include <limits>

namespace polhode {

namespace {

constexpr int mostCutRows = 300;  // up to which the dense decomposition of loop_closure.h is the faster one

bool suitsTree(const Mechanism& mechanism) {
  if (mechanism.topology().cutJoints.empty()) return true;
  int rows = 0;
  for (const int j : mechanism.topology().cutJoints) rows += mechanism.joints()[static_cast<std::size_t>(j)].rows();
  return rows <= mostCutRows && std::all_of(mechanism.bodies().begin(), mechanism.bodies().end(),
                                            [](const MechanismBody& body) { return body.mass > 0.0; });
}

}  // namespace

InstantWatch::InstantWatch(std::shared_ptr<const Mechanism> mechanism)
    : mechanism_(std::move(mechanism)), joints_(*mechanism_) {}

InstantWatch::~InstantWatch() = default;

void InstantWatch::tell(Observation& observation, const MechanismMotion& motion, Detail detail,
                        std::span<const Wrench> loads, const VectorX& meanMultipliers) {
  if (detail == Detail::motion) {
    observation.joints = joints_.observe(observation.time, motion, {});
    return;
  }
  const InstantForces& forces = forcesAt(observation.time, motion, loads, meanMultipliers);
  observation.joints = joints_.observe(observation.time, motion, forces.reactions);
  tellForces(observation, forces);
}

void InstantWatch::tell(Observation& observation, Detail detail) {
  tell(observation, mechanismMotion(*mechanism_, observation.bodies), detail);
}

const InstantForces& InstantWatch::forcesAt(double t, const MechanismMotion& motion, std::span<const Wrench> loads,
                                            const VectorX& meanMultipliers) {
  if (!dynamics_ && !sparse_) {
    if (suitsTree(*mechanism_))
      dynamics_ = std::make_unique<InstantDynamics>(mechanism_);
    else
      sparse_ = std::make_unique<SparseDynamics>(mechanism_);
  }
  try {
    return sparse_ ? sparse_->at(t, motion, loads) : dynamics_->at(t, motion, loads);
  } catch (const SimulationError&) {
    const Vector3 unknown = Vector3::Constant(std::numeric_limits<double>::quiet_NaN());
    known_.motion = motion;
    known_.accelerations.assign(motion.size(), {unknown, unknown});
    known_.reactions.assign(mechanism_->joints().size(), {unknown, unknown});
    if (meanMultipliers.size() == mechanism_->rows())
      known_.reactions = jointReactions(*mechanism_, t, motion, meanMultipliers);
    known_.elements.clear();
    for (const auto& force : mechanism_->forces())
      known_.elements.push_back(
          force->wrenches(t, motionOf(motion, force->first()), motionOf(motion, force->second())));
    return known_;
  }
}

void InstantWatch::tellForces(Observation& observation, const InstantForces& forces) const {
  const MechanismMotion& motion = forces.motion;
  observation.accelerations.clear();
  for (std::size_t b = 0; b < motion.size(); ++b) {
    // the change of the angular velocity that is observed, along the axes of the model's body
    const Matrix3 D = motion[b].at.D * mechanism_->bodies()[b].axes.transpose();
    observation.accelerations.push_back(
        {forces.accelerations[b].linear, D.transpose() * forces.accelerations[b].angular});
  }
  observation.forces.clear();
  for (std::size_t i = 0; i < mechanism_->forces().size(); ++i) {
    const ForceElement& element = *mechanism_->forces()[i];
    const MovingPlacement &first = motionOf(motion, element.first()), &second = motionOf(motion, element.second());
    const Wrench& wrench = forces.elements[i].second;
    const Vector3 arm = second.at.D * element.pointOnSecond();
    // about the point, which on the ground is given from the origin of space
    observation.forces.push_back({element.name(), wrench.force, wrench.torque - arm.cross(wrench.force),
                                  element.quantities(observation.time, first, second)});
  }
}

Observation observeInstant(const std::shared_ptr<const Mechanism>& mechanism, double t, const MechanismMotion& motion,
                           Detail detail) {
  Observation observation = observeMechanism(*mechanism, t, motion);
  InstantWatch(mechanism).tell(observation, motion, detail);
  return observation;
}

}  // namespace polhode
