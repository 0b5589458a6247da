#pragma once

#include "analysis/led_model.h"
#include "polhode/system/body_acceleration.h"
#include "system/free_motions.h"

#include <memory>

/// How a mechanism moves whose motion is given by some of its quantities (led_model.h). With the equations g(t, z) = 0 of its
/// joints and of what follows signals, rows that repeat others left out (redundancy.h):
///
///     g(t, z) = 0,      G u = -g_t,      G u' = -(all of g'' that u' has no share in)
///
/// Positions are found by Newton's steps, each the smallest one, from where the mechanism stood at the last time, moved on by
/// its velocities; in between it is led in strides of a tenth of a radian (or of its size), so that it cannot fold over into
/// another way of closing its loops. It is led to the first time from where the model starts.
namespace polhode {

/// A mechanism at an instant: how its bodies move (principal axes), and accelerations in space.
struct InverseInstant {
  double time = 0.0;
  MechanismMotion bodies;
  std::vector<BodyAcceleration> accelerations;
};

class InverseKinematics {
 public:
  /// Of a model without the motors' forces. Throws InputError as ledModel does.
  InverseKinematics(const Model& model, const std::vector<FollowedQuantity>& motion, double begin);

  /// Motions of the mechanism, with some inertia, that what is given says nothing of, where the model starts.
  int freedomsLeft() const;

  /// A quantity that says nothing new where the model starts: it repeats what the joints and others say, or the mechanism is
  /// stretched out or folded up there. Empty where there is none.
  std::string idleQuantity() const;

  /// Times must not decrease. Throws SimulationError with the time where the motion cannot be reached, or the mechanism is in a
  /// singular position.
  InverseInstant at(double t);

 private:
  double clock(double t) const { return t - begin_ + 1.0; }
  double largest(const VectorX& change) const;
  bool close(double clock, MechanismMotion& bodies);
  void leadTo(double clock);
  [[noreturn]] void fail(double clock, const std::string& what) const;
  template <class OfRow>
  VectorX rows(const MechanismMotion& bodies, const OfRow& ofRow) const;

  std::string name_;
  double begin_;
  std::vector<std::string> quantities_;
  std::shared_ptr<const Mechanism> mechanism_;
  Redundancy redundancy_;
  double size_;
  double openAtStart_ = 0.0;
  double now_ = 0.0;  // on the clock: from zero to one it is led from where the model starts to where the motion begins
  MechanismMotion bodies_;
};

}  // namespace polhode
