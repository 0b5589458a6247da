#pragma once

#include "polhode/analysis/observation.h"
#include "system/varied_motion.h"

#include <span>
#include <vector>

namespace polhode {

/// Observes the joints of a mechanism along a run: the coordinates of their types and, of universal joints, the angles about
/// both axes ("first_angle", "second_angle"), which are zero where the mechanism stands at t = 0. Angles count on over turns: of all angles that differ by turns it
/// takes the one nearest to what the last angle and the rates then and now lead to expect.
class JointWatch {
 public:
  explicit JointWatch(const Mechanism& mechanism);

  /// Counts turns on without telling anything: to be called at every step between two observations.
  void follow(double t, std::span<const MovingPlacement> motion);

  /// `reactions` by joint (force and torque on the second body, at its point of the joint, in space); none if empty.
  std::vector<JointObservation> observe(double t, std::span<const MovingPlacement> motion,
                                        std::span<const Wrench> reactions);

  /// The last angles, from which turns are counted on (integrate/archive.h).
  template <class Archive>
  void persist(Archive& archive) {
    archive(time_, started_, values_, rates_);
  }

 private:
  const Mechanism& mechanism_;
  double time_ = 0.0;
  bool started_ = false;
  std::vector<std::size_t> moving_;                  // joints that have coordinates
  std::vector<std::vector<double>> values_, rates_;  // of the last observation
  std::vector<std::vector<double>> zeros_;           // what the angles of universal joints are counted from
};

/// How all that is observed of joints changes where the bodies move in a way that carries its change, and the reactions change
/// like this.
std::vector<JointObservation> jointChanges(const Mechanism& mechanism, const VariedMotion& motion,
                                           std::span<const Wrench> reactionChanges);

}  // namespace polhode
