#pragma once

#include "analysis/sensor_watch.h"
#include "system/instant_change.h"

/// How all that is observed of a mechanism (instant_watch.h, sensor_watch.h) changes beside a motion. The derivatives are those
/// of the formulas, exact to rounding (varied_motion.h, instant_change.h); only forces that a user has written are differenced.
namespace polhode {

class ObservationChanges {
 public:
  /// About this motion, whose velocities fit the joints; `at` is what is observed there, forces and sensors included.
  ObservationChanges(const Model& model, std::shared_ptr<const Mechanism> mechanism, double t,
                     const MechanismMotion& bodies, const Observation& at);

  /// Where each body is moved and turned by `place`, its velocities change by `velocity` and what pulls at it from outside by
  /// `pull` (six components each, in space): the derivatives of all numbers of `at`, in their places. Joints that the bodies are
  /// moved along stay closed.
  Observation along(const VectorX& place, const VectorX& velocity, const VectorX& pull) const;

 private:
  void tellBodies(Observation& changes, const VectorX& place, const VectorX& velocity,
                  const VectorX& acceleration) const;
  void tellSums(Observation& changes, const VariedMotion& moving) const;
  void tellForces(Observation& changes, const VariedMotion& moving) const;

  std::shared_ptr<const Mechanism> mechanism_;
  double time_;
  MechanismMotion bodies_;
  VectorX velocities_;
  const Observation& at_;
  InstantChange dynamics_;
  SensorWatch sensors_;
};

}  // namespace polhode
