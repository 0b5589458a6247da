#include "polhode/integrate/constrained_stepper.h"

#include "polhode/error.h"
#include "polhode/integrate/adaptive_conserving.h"
#include "polhode/integrate/archive.h"
#include "polhode/integrate/composition.h"
#include "polhode/math/largest.h"

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
    : system_(system),
      n_(system.coordinates()),
      m_(system.constraints()),
      name_(std::move(name)),
      start_(t0),
      end_(tEnd),
      nominalStep_(h),
      grid_(h, tEnd),
      time_(t0),
      previousTime_(t0),
      x_(unknowns),
      residual_(unknowns),
      correction_(unknowns),
      jacobian_(unknowns, unknowns),
      factors_(unknowns) {
  if (!(h > 0)) throw InputError(fmt::format("{}: the step is {}; give one above zero", name_, h));
  for (VectorX* vector : {&q0_, &v0_, &p0_, &q1_, &v1_, &p1_, &force_, &lastStep_, &stepBefore_}) vector->setZero(n_);
  forceByQ_.setZero(n_, n_);
  forceByV_.setZero(n_, n_);
  gap_.setZero(m_);
  endJacobian_.setZero(m_, n_);
  multipliers_.setZero(m_);
  grid_.beginAt(t0);
  setState(state);
  previousState_ = state_;

  if (const double gap = positionGap(); !(gap <= largestInitialGap * (1 + largest(q()))))
    throw InputError(
        fmt::format("{}: the initial coordinates of '{}' violate a constraint by {:.3g}; start from "
                    "coordinates with g(q) = 0",
                    name_, system_.name(), gap));
}

void ConstrainedStepper::setState(const VectorX& y) {
  if (y.size() != 2 * n_ && y.size() != 3 * n_)
    throw InputError(fmt::format("{}: a state of '{}' has {} numbers (q, v) or {} (q, v, p), not {}", name_,
                                 system_.name(), 2 * n_, 3 * n_, y.size()));
  state_.resize(3 * n_);
  state_.head(y.size()) = y;
  if (y.size() == 2 * n_) {
    MatrixX M(n_, n_);
    system_.mass(q(), M);
    state_.tail(n_) = M * v();
  }
}

void ConstrainedStepper::replaceState(const VectorX& y) {
  setState(y);
  history_ = 0;
}

void ConstrainedStepper::persist(Archive& archive) {
  archive.section("constrained");
  archive(time_, previousTime_, controlledStep_, grid_, state_, previousState_, multipliers_);
  archive(lastStep_, stepBefore_, history_, work1_, work_);
}

void ConstrainedStepper::step() {
  if (time_ >= end_) return;
  if (tolerance_ > 0) return controlledStep();

  const StepGrid::Step next = grid_.from(time_);
  singleStep(next.end - time_);
  grid_.take(next);
  time_ = next.end;
  if (grid_.breaksAt(time_)) history_ = 0;
}

void ConstrainedStepper::endStepsAt(StepBreaks breaks) {
  breaks_ = std::move(breaks);
  grid_ = StepGrid(nominalStep_, end_, breaks_);
  grid_.beginAt(time_);
}

void ConstrainedStepper::singleStep(double length) {
  if (subSteps_.empty())
    advance(length);
  else
    composedStep(length);
}

void ConstrainedStepper::compose(int order) {
  const auto take = [&](const auto& coefficients) {
    for (const double coefficient : coefficients) subSteps_.insert(subSteps_.end(), 2, 0.5 * coefficient);
  };
  if (order == 4) take(compositionCoefficients<4>());
  if (order == 6) take(compositionCoefficients<6>());
  if (order == 8) take(compositionCoefficients<8>());
  if (subSteps_.empty())
    throw InputError(fmt::format("there is no composition of order {}; there are 4, 6 and 8", order));
  order_ = order;
  name_ += fmt::format("-{}", order);
}

void ConstrainedStepper::control(double tolerance) {
  if (!(tolerance > 0)) throw InputError(fmt::format("{}: the tolerance is {}; give one above zero", name_, tolerance));
  tolerance_ = tolerance;
  controlledStep_ = nominalStep_;
}

void ConstrainedStepper::restore(const Snapshot& start) {
  state_ = start.state;
  multipliers_ = start.multipliers;
  time_ = start.time;
  work1_ = start.work;
  work_.steps = start.steps;
  history_ = 0;
}

void ConstrainedStepper::countAsOne(const Snapshot& start) {
  previousState_ = start.state;
  previousTime_ = start.time;
  work_.steps = start.steps + 1;
}

/// The error of two halves; nothing, the state as it was, and the reason where a step does not converge.
std::optional<double> ConstrainedStepper::halvesAgainstOne(double length, std::string& failure) {
  const Snapshot start = snapshot();
  try {
    singleStep(length);
    const VectorX once = q();
    restore(start);
    singleStep(0.5 * length);
    singleStep(0.5 * length);
    countAsOne(start);
    return largest(q() - once) / ((1 + largest(q())) * (std::pow(2.0, order_) - 1));
  } catch (const SimulationError& error) {
    restore(start);
    failure = error.what();
    return std::nullopt;
  }
}

void ConstrainedStepper::controlledStep() {
  const double shortest = 1e-13 * std::max(std::abs(time_), nominalStep_);
  const double target = breaks_.next(time_, shortest, end_);
  const double longest = breaks_.largestStep(time_ + shortest);
  for (bool rejected = false;; rejected = true) {
    const double length = std::min({controlledStep_, longest, target - time_});
    const Snapshot start = snapshot();
    std::string failure;
    const std::optional<double> error = halvesAgainstOne(length, failure);
    const double factor = error ? nextStepFactor(*error, tolerance_, order_) : 0.5;
    if (error && *error <= tolerance_) {
      if (length == target - start.time) time_ = target;
      if (length == controlledStep_ || factor < 1)
        controlledStep_ = length * (rejected ? std::min(factor, 1.0) : factor);
      if (breaks_.at(time_, shortest)) history_ = 0, controlledStep_ = nominalStep_;
      return;
    }
    restore(start);
    ++work_.rejected;
    controlledStep_ = length * std::min(factor, 0.9);
    if (controlledStep_ >= shortest) continue;
    if (error) throwToleranceFailure(name_, time_, length, *error, tolerance_);
    throw SimulationError(time_, failure);
  }
}

void ConstrainedStepper::composedStep(double length) {
  const Snapshot start = snapshot();
  const VectorX previousState = previousState_;
  const double previousTime = previousTime_;
  try {
    for (const double part : subSteps_) {
      history_ = 0;  // sub-steps differ in length and sign: the last ones say nothing of the next
      advance(part * length);
    }
  } catch (const SimulationError&) {
    restore(start);
    previousState_ = previousState;
    previousTime_ = previousTime;
    throw;
  }
  countAsOne(start);
}

void ConstrainedStepper::advance(double length) {
  h_ = length;
  q0_ = q(), v0_ = v(), p0_ = p();

  // two predictions: the increments of the last two steps extrapolated, then the velocity
  x_.setZero();
  x_.tail(m_) = h_ * multipliers_;
  bool converged = false;
  if (history_ > 0) {
    x_.head(n_) = h_ * (history_ > 1 ? VectorX(2 * lastStep_ - stepBefore_) : lastStep_);
    predict(x_);
    converged = solve(x_);
  }
  if (!converged) {
    x_.setZero();
    x_.head(n_) = h_ * v0_;
    predict(x_);
    converged = solve(x_);
  }
  if (!converged)
    throw SimulationError(
        time_,
        fmt::format("{} on '{}': the step of {:.3g} from t = {:.6g} did not converge (Newton iterations: {}, last "
                    "correction: {:.3g} of the step, residual: {:.3g}); {}",
                    name_, system_.name(), h_, time_, lastIterations_, lastCorrection_, lastResidual_, remedy()));

  q1_ = q0_ + x_.head(n_);
  finish(x_);

  stepBefore_ = lastStep_;
  lastStep_ = x_.head(n_) / h_;
  history_ = std::min(history_ + 1, 2);
  multipliers_ = x_.tail(m_) / h_;
  if (system_.hasAppliedForce()) {
    evaluateAppliedForce(0.5 * (q0_ + q1_), x_.head(n_) / h_);
    work1_ += force_.dot(x_.head(n_));
  }
  previousState_ = state_;
  state_ << q1_, v1_, p1_;
  previousTime_ = time_;
  time_ += h_;
  ++work_.steps;
}

bool ConstrainedStepper::solve(VectorX& x) {
  const double size = largest(q0_);
  double previous = 0;
  for (int iteration = 0; iteration < mostIterations; ++iteration) {
    q1_ = q0_ + x.head(n_);
    equations(x, residual_, jacobian_);
    factors_.compute(jacobian_);
    correction_ = factors_.solve(residual_);
    x -= correction_;
    ++work_.jacobians, ++work_.factorisations, ++work_.newtonIterations, ++work_.rhsEvaluations;

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

void ConstrainedStepper::interpolate(double t, VectorX& y) const {
  const double length = time_ - previousTime_;
  if (length == 0) {
    y = state_;
    return;
  }
  const double s = (t - previousTime_) / length;
  y = (1 - s) * previousState_ + s * state_;

  // Hermite's cubic: the chord, and what the velocities at the ends bend it by
  const VectorX chord = state_.head(n_) - previousState_.head(n_);
  y.head(n_) +=
      s * (1 - s) *
      ((1 - s) * (length * previousState_.segment(n_, n_) - chord) - s * (length * state_.segment(n_, n_) - chord));
}

double ConstrainedStepper::generalisedEnergy() const {
  return p().dot(v()) - totalEnergy() + 2 * system_.potential(time_, q());
}

double ConstrainedStepper::totalEnergy() const {
  MatrixX M(n_, n_);
  system_.mass(q(), M);
  return 0.5 * v().dot(M * v()) + system_.potential(time_, q());
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
