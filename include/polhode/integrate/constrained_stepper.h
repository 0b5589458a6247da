#pragma once

#include "polhode/integrate/step_breaks.h"
#include "polhode/integrate/stepper.h"
#include "polhode/system/discrete_gradient.h"

#include <Eigen/LU>
#include <optional>
#include <string>
#include <vector>

namespace polhode {

/// What the implicit one-step schemes for constrained systems have in common: the state, the step, Newton's
/// method.
///
/// The state is y = (q, v, p), 3 n numbers: coordinates, velocities and momenta. An initial state may be (q,
/// v) alone; then p = M(q) v. A step solves its scheme's equations for the unknowns
///
///     x = (d, ..., mu),   d = q1 - q0,   mu = h lambda
///
/// The increment d is unknown instead of q1, so that v = d/h does not suffer from the size of q, and the
/// constraint impulse mu instead of lambda, so that the matrix keeps its scale as h goes to zero.
///
/// Newton's method is exact (no numerical Jacobian) and ends at round-off: when the last correction c_k,
/// whose successor is about c_k^3/c_(k-1)^2, leaves no more than the last bit of d, or is within a few last
/// bits of q itself.
class ConstrainedStepper : public Stepper {
 public:
  void step() override;
  double time() const override { return time_; }
  double previousTime() const override { return previousTime_; }
  const VectorX& state() const override { return state_; }
  const WorkCounts& work() const override { return work_; }

  /// Cubic in q (it meets q and v at both ends), linear in v and p.
  void interpolate(double t, VectorX& y) const override;

  void persist(Archive& archive) override;

  /// Takes (q, v) or (q, v, p).
  void replaceState(const VectorX& y) override;

  /// One step of any length, also negative and beyond the end: what compositions are made of. Throws
  /// SimulationError when Newton's method does not converge; the state stays as it was.
  void advance(double length);

  /// Makes each step a symmetric composition of order 4, 6 or 8 (composition.h). A stage is two sub-steps of equal length,
  /// since velocities are carried along. What the scheme keeps is kept; the name gets -4, -6 or -8 behind it.
  void compose(int order);

  /// Makes the steps as long as the tolerance allows: each is done at once and as two halves, whose difference in q
  /// (relative to 1 + |q|) shows the error, and the halves are kept, so that what the scheme keeps is kept
  /// (adaptive_conserving.h). The step given at the start is the first one tried.
  void control(double tolerance);

  /// Makes steps end where something happens. Predictions and a chosen step begin anew there.
  void endStepsAt(StepBreaks breaks);

  auto q() const { return state_.head(n_); }
  auto v() const { return state_.segment(n_, n_); }
  auto p() const { return state_.tail(n_); }
  const VectorX& multipliers() const { return multipliers_; }  // lambda of the last step

  double generalisedEnergy() const;  // p.v - T(q, v) + V(q), Kinon & Betsch (74)
  double totalEnergy() const;        // T(q, v) + V(q), Kinon & Betsch (80)
  double positionGap() const;        // largest |g(q)|
  double velocityGap() const;        // largest |G(q) v|
  double appliedWork() const {
    return work1_;
  }  // of applied forces since the start, exactly as in the discrete balance

  const SmoothSystem& system() const { return system_; }
  const std::string& name() const { return name_; }

  /// What errors call it, where users know it by another name.
  void rename(const std::string& name) { name_ = name; }

 protected:
  ConstrainedStepper(std::string name, const SmoothSystem& system, double t0, const VectorX& state, double tEnd,
                     double h, int unknowns);

  /// The scheme's equations r(x) = 0 for the step from (q0_, v0_, p0_) of length h_, and dr/dx.
  virtual void equations(const VectorX& x, VectorX& r, MatrixX& J) = 0;

  /// Velocities and momenta v1_, p1_ at the end of the step; q1_ is there already.
  virtual void finish(const VectorX& x) = 0;

  /// What to start from, given x with d and mu filled in; schemes with more unknowns add theirs.
  virtual void predict(VectorX& /*x*/) {}

  /// What to do when a step does not converge.
  virtual std::string remedy() const { return "take a smaller step"; }

  /// f(tm, qm, vm) into force_ and its derivatives; zero where the system has none.
  void evaluateAppliedForce(const VectorX& qm, const VectorX& vm);

  /// Takes the applied force of the step from the momentum balance in `rows`, and its derivative from that by d.
  void subtractAppliedForce(const VectorX& x, Eigen::Ref<VectorX> rows, Eigen::Ref<MatrixX> byStep);

  /// The constraint at the end, g(q0 + d) = 0, as the last m rows.
  void writeEndConstraint(VectorX& r, MatrixX& J);

  double middleTime() const { return time_ + 0.5 * h_; }

  const SmoothSystem& system_;
  const int n_, m_;
  double h_ = 0;          // of the step under way
  VectorX q0_, v0_, p0_;  // where it starts
  VectorX q1_, v1_, p1_;  // where it ends
  VectorX force_;         // applied
  MatrixX forceByQ_, forceByV_;
  VectorX gap_;          // g(q1)
  MatrixX endJacobian_;  // G(q1)

 private:
  /// What a step changes and a failed one leaves as it was.
  struct Snapshot {
    VectorX state, multipliers;
    double time, work;
    long steps;
  };

  bool solve(VectorX& x);
  bool vouches(const VectorX& x);
  void setState(const VectorX& y);
  void singleStep(double length);
  void composedStep(double length);
  void controlledStep();
  std::optional<double> halvesAgainstOne(double length, std::string& failure);
  Snapshot snapshot() const { return {state_, multipliers_, time_, work1_, work_.steps}; }
  void restore(const Snapshot& start);
  void countAsOne(const Snapshot& start);

  std::string name_;
  std::vector<double> subSteps_;  // of a composition, relative to the step; empty for the scheme itself
  int order_ = 2;
  const double start_, end_, nominalStep_;
  StepGrid grid_;
  StepBreaks breaks_;
  double tolerance_ = 0, controlledStep_ = 0;  // of step-size control; zero without
  double time_, previousTime_;
  VectorX state_, previousState_, multipliers_;
  VectorX lastStep_, stepBefore_;  // d of the last two steps, divided by their length
  int history_ = 0;
  double work1_ = 0;

  // Newton's method
  VectorX x_, residual_, correction_;
  MatrixX jacobian_;
  Eigen::PartialPivLU<MatrixX> factors_;
  int lastIterations_ = 0;
  double lastCorrection_ = 0, lastResidual_ = 0;
  WorkCounts work_;
};

}  // namespace polhode
