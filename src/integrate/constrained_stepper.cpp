#include "integrate/constrained_stepper.h"

#include "integrate/archive.h"
#include "integrate/hermite.h"
#include "math/largest.h"
#include "polhode/error.h"

#include <cmath>
#include <limits>

#include <fmt/format.h>

namespace polhode {

namespace {

constexpr double rounding = std::numeric_limits<double>::epsilon();
constexpr int mostIterations = 30;

/// A start off the constraints by more than this, relative to the size of q, is refused.
constexpr double largestInitialGap = 1e-8;

/// Not a number where an entry is none.
double largest(const VectorX& x) {
  return largestSizeOrNaN(x);
}

}  // namespace

ConstrainedStepper::ConstrainedStepper(std::string name, const SmoothSystem& system, double t0, const VectorX& state,
                                       double tEnd, double h, int unknowns)
    : ConservingStepperOf(std::move(name), tEnd, h),
      system_(system),
      n_(system.coordinates()),
      m_(system.constraints()),
      x_(unknowns),
      residual_(unknowns),
      correction_(unknowns),
      jacobian_(unknowns, unknowns),
      factors_(unknowns) {
  for (VectorX* vector : {&q0_, &v0_, &p0_, &q1_, &v1_, &p1_, &force_, &lastStep_, &stepBefore_}) vector->setZero(n_);
  forceByQ_.setZero(n_, n_);
  forceByV_.setZero(n_, n_);
  gap_.setZero(m_);
  endJacobian_.setZero(m_, n_);
  state_.multipliers.setZero(m_);
  take(state);
  beginAt(t0);

  if (const double gap = positionGap(); !(gap <= largestInitialGap * (1 + largest(q()))))
    throw InputError(
        fmt::format("{}: the initial coordinates of '{}' violate a constraint by {:.3g}; start from "
                    "coordinates with g(q) = 0",
                    this->name(), system_.name(), gap));
}

void ConstrainedStepper::take(const VectorX& y) {
  if (y.size() != 2 * n_ && y.size() != 3 * n_)
    throw InputError(fmt::format("{}: a state of '{}' has {} numbers (q, v) or {} (q, v, p), not {}", name(),
                                 system_.name(), 2 * n_, 3 * n_, y.size()));
  state_.y.resize(3 * n_);
  state_.y.head(y.size()) = y;
  if (y.size() == 2 * n_) {
    MatrixX M(n_, n_);
    system_.mass(q(), M);
    state_.y.tail(n_) = M * v();
  }
}

void ConstrainedStepper::persistScheme(Archive& archive) {
  archive.section("constrained");
  archive(state_, lastStep_, stepBefore_, history_);
}

double ConstrainedStepper::distance(const ConstrainedState& a, const ConstrainedState& b) const {
  return largest(b.y.head(n_) - a.y.head(n_)) / (1 + largest(b.y.head(n_)));
}

StepReport ConstrainedStepper::bareStep(double t, double h, int /*part*/) {
  t0_ = t;
  h_ = h;
  q0_ = q(), v0_ = v(), p0_ = p();
  if (isComposed()) history_ = 0;  // sub-steps differ in length and sign: the last ones say nothing of the next

  // two predictions: the increments of the last two steps extrapolated, then the velocity
  x_.setZero();
  x_.tail(m_) = h_ * state_.multipliers;
  StepReport report;
  if (history_ > 0) {
    x_.head(n_) = h_ * (history_ > 1 ? VectorX(2 * lastStep_ - stepBefore_) : lastStep_);
    predict(x_);
    report.converged = solve(x_, report);
  }
  if (!report.converged) {
    x_.setZero();
    x_.head(n_) = h_ * v0_;
    predict(x_);
    report.converged = solve(x_, report);
  }
  if (!report.converged) return report;

  q1_ = q0_ + x_.head(n_);
  finish(x_);

  stepBefore_ = lastStep_;
  lastStep_ = x_.head(n_) / h_;
  history_ = std::min(history_ + 1, 2);
  state_.multipliers = x_.tail(m_) / h_;
  if (system_.hasAppliedForce()) {
    evaluateAppliedForce(0.5 * (q0_ + q1_), x_.head(n_) / h_);
    state_.work += force_.dot(x_.head(n_));
  }
  state_.y << q1_, v1_, p1_;
  return report;
}

void ConstrainedStepper::fail(double h, const StepReport& /*report*/) const {
  throw SimulationError(
      time(),
      fmt::format("{} on '{}': the step of {:.3g} from t = {:.6g} did not converge (Newton iterations: {}, last "
                  "correction: {:.3g} of the step, residual: {:.3g}); {}",
                  name(), system_.name(), h, time(), lastIterations_, lastCorrection_, lastResidual_, remedy()));
}

bool ConstrainedStepper::solve(VectorX& x, StepReport& report) {
  const double size = largest(q0_);
  double previous = 0;
  for (int iteration = 0; iteration < mostIterations; ++iteration) {
    q1_ = q0_ + x.head(n_);
    equations(x, residual_, jacobian_);
    factors_.compute(jacobian_);
    correction_ = factors_.solve(residual_);
    x -= correction_;
    ++report.iterations, ++report.factorisations;

    const double step = largest(x.head(n_)), last = largest(correction_.head(n_));
    lastIterations_ = iteration + 1;
    lastCorrection_ = step > 0 ? last / step : last;
    lastResidual_ = largest(residual_);
    if (!x.allFinite()) break;
    const bool atRoundOff = last <= 4 * rounding * (size + step);
    const bool nextBelowRoundOff =
        iteration > 0 && last < previous && last * last * last <= rounding * step * previous * previous;
    const bool stagnates = iteration > 2 && last > 0.5 * previous && last <= 1e-10 * (size + step);
    if ((atRoundOff || nextBelowRoundOff || stagnates) && vouches(x)) return true;
    previous = last;
  }
  ++work_.rejected;
  return false;
}

/// Looks at the equations where the iteration came to rest: all of them hold, to the sizes of what they are made of, and
/// all constraints are closed.
bool ConstrainedStepper::vouches(const VectorX& x) {
  constexpr double balanced = 1e-9, closed = 1e-9;
  q1_ = q0_ + x.head(n_);
  equations(x, residual_, jacobian_);
  ++work_.rhsEvaluations;
  system_.constraint(q1_, gap_);
  lastResidual_ = largest(residual_);
  const double terms = largest(jacobian_.cwiseAbs() * x.cwiseAbs()) + largest(p0_) + largest(h_ * v0_);
  return residual_.allFinite() && lastResidual_ <= balanced * terms &&
         largest(gap_) <= closed * (1 + largest(q1_)) * (1 + largest(q1_));
}

void ConstrainedStepper::evaluateAppliedForce(const VectorX& qm, const VectorX& vm) {
  if (system_.hasAppliedForce()) system_.appliedForce(middleTime(), qm, vm, force_, forceByQ_, forceByV_);
}

void ConstrainedStepper::subtractAppliedForce(const VectorX& x, Eigen::Ref<VectorX> rows, Eigen::Ref<MatrixX> byStep) {
  if (!system_.hasAppliedForce()) return;
  evaluateAppliedForce(0.5 * (q0_ + q1_), x.head(n_) / h_);
  rows -= h_ * force_;
  byStep -= 0.5 * h_ * forceByQ_ + forceByV_;
}

void ConstrainedStepper::writeEndConstraint(VectorX& r, MatrixX& J) {
  system_.constraint(q1_, gap_);
  system_.constraintJacobian(q1_, endJacobian_);
  r.tail(m_) = gap_;
  J.bottomRows(m_).setZero();
  J.bottomLeftCorner(m_, n_) = endJacobian_;
}

void ConstrainedStepper::blend(const VectorX& from, const VectorX& to, double h, double s, VectorX& y) const {
  y = (1 - s) * from + s * to;
  y.head(n_) = hermite(h, s, from.head(n_), from.segment(n_, n_), to.head(n_), to.segment(n_, n_));
}

double ConstrainedStepper::generalisedEnergy() const {
  return p().dot(v()) - totalEnergy() + 2 * system_.potential(time(), q());
}

double ConstrainedStepper::totalEnergy() const {
  MatrixX M(n_, n_);
  system_.mass(q(), M);
  return 0.5 * v().dot(M * v()) + system_.potential(time(), q());
}

double ConstrainedStepper::positionGap() const {
  VectorX g(m_);
  system_.constraint(q(), g);
  return largest(g);
}

double ConstrainedStepper::velocityGap() const {
  MatrixX G(m_, n_);
  system_.constraintJacobian(q(), G);
  return largest(G * v());
}

}  // namespace polhode
