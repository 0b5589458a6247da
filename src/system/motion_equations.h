#pragma once

#include "system/free_motions.h"
#include "system/joint_row.h"

/// What is left of the equations of a mechanism where its bodies are, move and accelerate in a given way: nothing, if they do so
/// as they ought to. Each body has velocities u = (v, omega) and accelerations a = (v', omega') in space, six components each.
///
///     balance       weight + w + G^T lambda - (m v', J omega' + omega x J omega),   w of the force elements
///     rates         g' of joints
///     rateChanges   g'' of joints
///
/// With a motion that carries its change (varied_motion.h) they carry theirs.
namespace polhode {

class MotionEquations {
 public:
  /// The mechanism must outlive it.
  explicit MotionEquations(const Mechanism& mechanism);

  const std::vector<JointRow>& rows() const { return rows_; }  // all

  template <class Scalar>
  VectorXOf<Scalar> balance(double t, const std::vector<MovingPlacementOf<Scalar>>& bodies, const VectorX& acceleration,
                            const VectorX& lambda) const;

  /// Of those rows.
  template <class Scalar>
  VectorXOf<Scalar> rates(double t, const std::vector<MovingPlacementOf<Scalar>>& bodies,
                          const std::vector<int>& rows) const;
  template <class Scalar>
  VectorXOf<Scalar> rateChanges(double t, const std::vector<MovingPlacementOf<Scalar>>& bodies,
                                const VectorX& acceleration, const std::vector<int>& rows) const;

  /// The accelerations that leave nothing, and the multipliers of all rows; zero for those left out.
  VectorX accelerations(double t, const MechanismMotion& bodies, const FreeMotions& free, VectorX& multipliers) const;

 private:
  const Mechanism& mechanism_;
  std::vector<JointRow> rows_;
};

}  // namespace polhode
