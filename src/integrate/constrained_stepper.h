#pragma once

#include "integrate/conserving_stepper.h"
#include "system/discrete_gradient.h"

#include <Eigen/LU>
#include <string>

namespace polhode {

/// What a step of a constrained system changes.
struct ConstrainedState {
  VectorX y;            // q, v, p
  VectorX multipliers;  // lambda of the last step
  double work = 0;      // of applied forces

  template <class Archive>
  void persist(Archive& archive) {
    archive(y, multipliers, work);
  }
};

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
/// Compositions, step-size control (by the distance in q, relative to 1 + |q|), breaks and the grid are those of all
/// conserving schemes (conserving_stepper.h). Within a step q is cubic (it meets q and v at both ends), v and p are linear.
///
/// States that replace the present one are (q, v) or (q, v, p).
class ConstrainedStepper : public ConservingStepperOf<ConstrainedState> {
 public:
  auto q() const { return state_.y.head(n_); }
  auto v() const { return state_.y.segment(n_, n_); }
  auto p() const { return state_.y.tail(n_); }
  const VectorX& multipliers() const { return state_.multipliers; }  // lambda of the last step

  double generalisedEnergy() const;                   // p.v - T(q, v) + V(q), Kinon & Betsch (74)
  double totalEnergy() const;                         // T(q, v) + V(q), Kinon & Betsch (80)
  double positionGap() const;                         // largest |g(q)|
  double velocityGap() const;                         // largest |G(q) v|
  double appliedWork() const { return state_.work; }  // since the start, exactly as in the discrete balance

  const SmoothSystem& system() const { return system_; }

 protected:
  ConstrainedStepper(std::string name, const SmoothSystem& system, double t0, const VectorX& state, double tEnd,
                     double h, int unknowns);

  /// The scheme's equations r(x) = 0 for the step from (q0_, v0_, p0_) of length h_, and dr/dx.
  virtual void equations(const VectorX& x, VectorX& r, MatrixX& J) = 0;

  /// Velocities and momenta v1_, p1_ at the end of the step; q1_ is there already.
  virtual void finish(const VectorX& x) = 0;

  /// What to start from, given x with d and mu filled in; schemes with more unknowns add theirs.
  virtual void predict(VectorX& /*x*/) {}

  /// f(tm, qm, vm) into force_ and its derivatives; zero where the system has none.
  void evaluateAppliedForce(const VectorX& qm, const VectorX& vm);

  /// Takes the applied force of the step from the momentum balance in `rows`, and its derivative from that by d.
  void subtractAppliedForce(const VectorX& x, Eigen::Ref<VectorX> rows, Eigen::Ref<MatrixX> byStep);

  /// The constraint at the end, g(q0 + d) = 0, as the last m rows.
  void writeEndConstraint(VectorX& r, MatrixX& J);

  double middleTime() const { return t0_ + 0.5 * h_; }

  const SmoothSystem& system_;
  const int n_, m_;
  double t0_ = 0, h_ = 0;  // of the step under way
  VectorX q0_, v0_, p0_;   // where it starts
  VectorX q1_, v1_, p1_;   // where it ends
  VectorX force_;          // applied
  MatrixX forceByQ_, forceByV_;
  VectorX gap_;          // g(q1)
  MatrixX endJacobian_;  // G(q1)

 private:
  StepReport bareStep(double t, double h, int part) override;
  double distance(const ConstrainedState& a, const ConstrainedState& b) const override;
  void show(VectorX& y) const override { y = state_.y; }
  void take(const VectorX& y) override;
  void persistScheme(Archive& archive) override;
  void blend(const VectorX& from, const VectorX& to, double h, double s, VectorX& y) const override;
  void forget() override { history_ = 0; }
  [[noreturn]] void fail(double h, const StepReport& report) const override;

  bool solve(VectorX& x, StepReport& report);
  bool vouches(const VectorX& x);

  VectorX lastStep_, stepBefore_;  // d of the last two steps, divided by their length
  int history_ = 0;

  // Newton's method
  VectorX x_, residual_, correction_;
  MatrixX jacobian_;
  Eigen::PartialPivLU<MatrixX> factors_;
  int lastIterations_ = 0;
  double lastCorrection_ = 0, lastResidual_ = 0;
};

}  // namespace polhode
