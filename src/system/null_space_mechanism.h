#pragma once

#include "system/index0_ode.h"
#include "system/loop_closure.h"
#include "system/mechanism_extent.h"
#include "system/ode.h"

#include <memory>
#include <string>

namespace polhode {

/// A mechanism as an ordinary differential equation in y = (x_1, r_1, x_2, r_2, ...; nu): absolute coordinates of all
/// bodies (r_i those of the rotation: quaternion, directors or angles) and the rates of the joints of the spanning tree,
///
///     x_i' = v_i,   r_i' = T_r(r_i) Omega_i,   (v, Omega) = T(z) P(z) nu,   nu' = (tree_dynamics.h, loop_closure.h)
///
/// the null-space form of Lang 2010, (8), pulled back to the director level (section 5). P is the projection onto what
/// closed loops allow. Velocities satisfy all constraints exactly and positions drift from them only by the truncation
/// error, linearly in time. Multipliers do not occur; the joints' reactions are those of instant_dynamics.h.
///
/// One object must not be used by two threads at a time: it keeps its workspace.
class NullSpaceMechanism : public OdeSystem {
 public:
  const Mechanism& mechanism() const { return tree_.mechanism(); }
  const LoopClosure& loops() const { return loops_; }
  int rates() const { return tree_.rates(); }

  /// Rows of loops that are left out from now on (LoopClosure::leaveOut).
  void leaveOut(const std::vector<int>& rows) { loops_.leaveOut(rows); }

  int size() const override { return positions() + rates(); }
  virtual int positions() const = 0;

  void derivative(double t, const VectorX& y, VectorX& dydt) const override;

  virtual VectorX stateOf(const MechanismMotion& motion) const = 0;
  virtual MechanismMotion motionOf(double t, const VectorX& y) const = 0;

  /// From now on project() moves the positions back onto all constraints, nearest in the metric of the mass, with a
  /// system whose q are these positions; and the rates onto what closed loops allow.
  void setProjection(std::shared_ptr<const ConstrainedSystem> constraints) {
    projection_ = std::make_unique<Index0Ode>(std::move(constraints));
  }
  bool project(double t, VectorX& y) const override;

  /// How far the rotations' own coordinates are from their constraints.
  virtual double chartViolation(const VectorX& y) const = 0;

  /// What the rows of joints that close loops pull with along their gradients; zero for all others.
  VectorX pulls(double t, const VectorX& y) const;

 protected:
  explicit NullSpaceMechanism(std::shared_ptr<const Mechanism> mechanism)
      : origin_(extentOf(*mechanism).origin),
        tree_(std::move(mechanism)),
        loops_(tree_),
        u_(tree_.rates()),
        nu_(tree_.rates()),
        nudot_(tree_.rates()) {}

  virtual void readPositions(const VectorX& y) const = 0;                      // into the nodes
  virtual void writePositionRates(const VectorX& y, VectorX& dydt) const = 0;  // from the nodes

  MechanismMotion nodeMotion() const;
  void setVelocities(double t, const double* nu) const;  // those that the loops allow, after readPositions

  virtual void movePositions(VectorX& y, const Vector3& by) const = 0;

  Vector3 origin_;  // from which a state measures positions: tolerances must not depend on where a mechanism stands
  mutable TreeDynamics tree_;
  mutable LoopClosure loops_;

 private:
  void setAccelerations(double t, const double* nu, double* nudot) const;

  std::unique_ptr<Index0Ode> projection_;
  mutable VectorX u_, nu_, nudot_;
};

/// In coordinates "quaternion", "director", "euler313" or "cardan". Throws InputError for others.
std::unique_ptr<NullSpaceMechanism> makeNullSpaceMechanism(std::shared_ptr<const Mechanism> mechanism,
                                                           const std::string& coordinates);

}  // namespace polhode
