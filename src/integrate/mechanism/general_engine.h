#pragma once

#include "integrate/mechanism/contraction.h"
#include "integrate/mechanism/driven_angles.h"
#include "integrate/mechanism/engine_border.h"
#include "integrate/mechanism/form_stiffness.h"
#include "integrate/mechanism/mechanism_state.h"
#include "integrate/mechanism/step_prediction.h"
#include "integrate/step_report.h"
#include "math/tree_system.h"
#include "system/body_load.h"

#include <vector>

/// The director scheme for mechanisms of any kind: six unknowns a body and one multiplier a joint row, every step.
///
///     R1 = cay(c) R0,   D1 - D0 = c^ Dm,   Dm = (D0 + D1)/2
///     (2m/h) dx - 2 m v0                              - h force  = 0,   v1 = 2/h dx - v0
///     sum_i E_i dm_i cross ((2/h) c cross dm_i - 2 w0_i) - h torque = 0,   w1 = 2/h (D1 - D0) - w0
///     g(z1, t1) = 0
///
/// Forces and torques are those of gravity, of the force elements over the step and of the joints, sum lambda grad g at
/// the *mean* placements (x0 + x1)/2, Dm (and at mid time, where a joint is driven). As every g is at most quadratic this
/// is an exact discrete gradient: energy (less the work of loads, dampers and driven joints), linear and angular momentum
/// and all joints are kept to round-off, for loops as well. Couplings of joints, which are not quadratic, have discrete
/// gradients of their own (system/joint_coupling.h), with the same consequences. Symmetric, order 2.
///
/// Newton's method with analytic Jacobians; the linear systems have the shape of the spanning tree (math/tree_system.h),
/// joints that close loops and forces between bodies that are no neighbours form their border. Which of its rows repeat
/// others is said by system/redundancy.h.
///
/// **A step vouches for itself.** Where the iteration comes to rest the equations are formed once more, with all rows, those
/// that elimination leaves out included: the step counts only if every joint is closed (rows that repeat others: up to the
/// roundings of the model), forces and momenta are in balance and all directors are orthonormal, to round-off.
///
/// Reference: Betsch & Steinmann 2001; Betsch & Leyendecker 2006.
namespace polhode {

class Archive;

class GeneralEngine {
 public:
  /// `sequences`: how many steps make up one step of a composition; each has a memory of its own to predict from.
  explicit GeneralEngine(const Mechanism& mechanism, int sequences = 1);

  /// One step; if it does not converge, or to nothing that it can vouch for, the state is as it was and the report says
  /// which joint would be open. Throws SimulationError where no inertia resists a body.
  StepReport step(MechanismState& state, double h, int sequence = 0);

  /// Gives rows that follow a signal the rate that it has at the state's time, or behind it where there are two. Along such
  /// a row v1 = 2 (s1 - s0)/h - v0: what v0 is off by, after a kink say, stays for ever with changing sign, and the forces of
  /// the steps with it. So whoever steps does this behind each whole step (of a composition: not behind its parts, so that
  /// its order is what it should be).
  void followDrives(MechanismState& state);

  /// The velocities nearest to those given, in the metric of the masses, with which directors stay orthonormal and joints
  /// closed: M dv + G^T mu = 0, G v = 0.
  MechanismMotion fitting(double t, MechanismMotion bodies);

  void setLoad(std::size_t body, const BodyLoad& load) { loads_[body] = load; }
  const Mechanism& mechanism() const { return mechanism_; }

  /// What it has learned of the last steps, and what pulls from outside.
  void persist(Archive& archive);

 private:
  /// Of one place in a sequence: the increments of the last steps, and how the iteration contracts.
  struct Memory {
    StepPrediction increments;
    Contraction contraction;

    template <class Archive>
    void persist(Archive& archive) {
      archive(increments, contraction);
    }
  };

  /// What is asked of the equations: right-hand sides and matrix; right-hand sides alone; or these with the sizes that they
  /// are made of.
  enum class Forming { matrix, rightSides, measured };

  /// What is left of the equations where they were formed last, and the sizes that they are made of.
  struct Remainder {
    double gap = 0.0;  // the largest, relative to what it may be
    int joint = -1;    // of which joint, and how large it is in metres or radians
    double opening = 0.0;
    double impulse = 0.0, turningImpulse = 0.0;  // the largest terms of the balance of momentum, and about the centres
    double work = 0.0;                           // of all these terms over the step, times it
  };

  void limitBorderRanks();
  void predict(const MechanismState& state, double h, Memory& memory);
  void predictFromRates(const MechanismState& state, double h);
  StepReport iterate(const MechanismState& state, double h, Contraction& contraction);
  void place(const MechanismState& state);
  void assemble(const MechanismState& state, double h, Forming forming);
  void assembleBody(const MechanismState& state, std::size_t body, double h, Forming forming);
  void assembleJoint(const MechanismState& state, std::size_t joint, double h, Forming forming);
  void assembleCoupling(const MechanismState& state, std::size_t joint, double h, Forming forming);
  void assembleForce(const MechanismState& state, std::size_t force, double h, Forming forming);
  enum class Lacking { ofDrives, ofAll };
  void assembleRates(double t, std::span<const MovingPlacement> bodies, Lacking lacking);
  void addRates(double t, std::span<const MovingPlacement> bodies, std::size_t joint, Lacking lacking);
  void addPull(int body, const Vector6& impulse, Forming forming);
  void noteGap(std::size_t joint, double gap, bool isLength);
  void noteTerms(int body, const Vector6& impulse);
  bool vouches(const MechanismState& state, double h, bool isTrusted, StepReport& report);
  double workOfLastDigits(const MechanismState& state, double h) const;
  std::string_view mostUnbalanced(const MechanismState& state, double h);
  double correct();
  double largestIncrement() const;
  void finish(MechanismState& state, double h, Memory& memory);
  double workOver(const MechanismState& state, double h) const;
  ElementStep relativeStep(const MechanismState& state, int first, int second, double h) const;
  double workOfDrives(const MechanismState& state, double h) const;
  double along(int body, const Wrench& wrench) const;
  ElementStep elementStep(const MechanismState& state, int first, int second, double h) const;

  Placement placement1(int body) const { return body < 0 ? Placement{} : end_[static_cast<std::size_t>(body)]; }
  Placement placement0(const MechanismState& s, int body) const { return motionOf(s.bodies, body).at; }
  TreeNode& nodeOf(int body) { return system_.node(nodeOf_[static_cast<std::size_t>(body)]); }

  const Mechanism& mechanism_;
  double size_;
  double looseness_ = 0.0;   // how far rows that repeat others may be open, relative to the size or in radians
  bool rankIsKnown_ = true;  // of the border; where not, rows may turn out to be independent later
  std::vector<int> nodeOf_;  // of each body
  EngineBorder border_;
  TreeSystem system_;
  std::vector<BodyLoad> loads_;
  std::vector<Memory> memories_;
  VectorX last_;  // increments on their way into the memory

  VectorX z_;  // dx and c of each body, then the multipliers
  std::vector<Placement> end_;
  Remainder left_;
  DrivenAngles drivenAngles_;
};

}  // namespace polhode
