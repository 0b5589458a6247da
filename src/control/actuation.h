#pragma once

#include "control/follower.h"
#include "control/steered_mechanism.h"

#include <memory>
#include <span>
#include <vector>

namespace polhode {

/// The actuators of a model at work: their followers, and what they hold of the mechanism.
class Actuation {
 public:
  /// `shareOfStep` is that of the scheme that steps (RecedingHorizonSettings). Throws InputError where a body, a joint or a
  /// coordinate is unknown.
  Actuation(const Model& model, const Mechanism& mechanism, double shareOfStep);

  /// Lets all laws observe what their signals say until a time; those that have nothing to follow let go.
  void observeUntil(double time);

  /// What all laws remember (integrate/archive.h).
  void persist(Archive& archive);

  std::span<const Grip> grips() const { return grips_; }
  std::span<Wrench> forces() { return forces_; }  // room for what the grips pull with
  Follower& follower(std::size_t actuator) { return *followers_[actuator]; }

 private:
  Grip gripOf(const Actuator& actuator, const Model& model, const Mechanism& mechanism) const;

  std::vector<std::unique_ptr<Follower>> followers_;
  std::vector<Grip> grips_;
  std::vector<Wrench> forces_;
};

}  // namespace polhode
