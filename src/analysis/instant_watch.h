#pragma once

#include "analysis/joint_watch.h"
#include "system/instant_forces.h"

#include <memory>
#include <span>

namespace polhode {

class InstantDynamics;
class SparseDynamics;

/// Tells an observation of a mechanism what the motion alone does not show: the coordinates of joints with their turns
/// counted on and, where that is asked for, accelerations, reactions and forces at the instant (instant_dynamics.h;
/// sparse_dynamics.h where a body has no mass or hundreds of rows close loops).
///
/// Where no inertia resists a body the equations of motion do not give its acceleration. Then the reactions are those of
/// `meanMultipliers`, if an integrator has them from its last step, and accelerations are not known (NaN).
class InstantWatch {
 public:
  explicit InstantWatch(const Model& model) : InstantWatch(std::make_shared<const Mechanism>(model)) {}
  explicit InstantWatch(std::shared_ptr<const Mechanism> mechanism);
  ~InstantWatch();

  /// Adds to the observation of a time; `loads` as for InstantDynamics.
  void tell(Observation& observation, const MechanismMotion& motion, Detail detail, std::span<const Wrench> loads = {},
            const VectorX& meanMultipliers = {});

  /// The same where the bodies move as they are observed.
  void tell(Observation& observation, Detail detail);

  /// As JointWatch::follow.
  void follow(double t, std::span<const MovingPlacement> motion) { joints_.follow(t, motion); }

  /// As JointWatch::persist.
  template <class Archive>
  void persist(Archive& archive) {
    archive(joints_);
  }

 private:
  const InstantForces& forcesAt(double t, const MechanismMotion& motion, std::span<const Wrench> loads,
                                const VectorX& meanMultipliers);
  void tellForces(Observation& observation, const InstantForces& forces) const;

  std::shared_ptr<const Mechanism> mechanism_;
  JointWatch joints_;
  std::unique_ptr<InstantDynamics> dynamics_;  // one of the two, made when it is needed
  std::unique_ptr<SparseDynamics> sparse_;
  InstantForces known_;  // where there is no answer
};

/// All that can be said of a mechanism that moves like this, where no run has counted the turns of its joints.
Observation observeInstant(const std::shared_ptr<const Mechanism>& mechanism, double t, const MechanismMotion& motion,
                           Detail detail);

}  // namespace polhode
