#pragma once

#include "polhode/integrate/stepper.h"
#include "polhode/system/ode.h"

#include <array>
#include <cmath>
#include <complex>

/// RADAU5: the implicit Runge-Kutta method Radau IIA with three stages, order 5, for stiff equations.
///
/// The step from (t, y) to (t + h, y + z3) solves for the stages z_i = Y_i - y
///
///     z_i = h sum_j a_ij f(t + c_j h, y + z_j),   c = ((4 - sqrt 6)/10, (4 + sqrt 6)/10, 1)            (1)
///
/// by simplified Newton iterations. With T^-1 A^-1 T = diag(gamma, (alpha, -beta; beta, alpha)) and w = T^-1
/// z each of them separates into one real and one complex system of the size of y,
///
///     (gamma/h - J) dw1                         = -gamma/h w1 + (T^-1 f)_1
///     ((alpha + i beta)/h - J) (dw2 + i dw3)    = -(alpha + i beta)/h (w2 + i w3) + (T^-1 f)_2 + i (T^-1
///     f)_3
///                                                                                                      (2)
/// The error is estimated with an embedded formula of order 3, filtered so that it stays bounded for h J ->
/// inf:
///
///     err = || (gamma/h - J)^-1 (f(t, y) + (e1 z1 + e2 z2 + e3 z3)/h) ||,  accepted if err < 1,         (3)
///     ||v||^2 = 1/n sum_i (v_i / (atol + rtol |y_i|))^2
///
/// Between the ends the solution is the collocation polynomial (order 3), written from the end of the step:
///
///     u(t + h + s h) = y + z3 + s (b1 + (s + 1 - c2)(b2 + (s + 1 - c1) b3)),   -1 <= s <= 0             (4)
///
/// Assumes that f is smooth within a step. The method is A- and L-stable and stiffly accurate; it conserves
/// linear invariants only. J is formed by finite differences.
///
/// Reference: Hairer & Wanner, Solving Ordinary Differential Equations II, 2nd ed. 1996, section IV.8, with
/// the default parameters and the control logic of the authors' code, so that numbers of evaluations can be
/// compared; (3) is (8.19) there, and the predictive control of the step size (8.25).
namespace polhode {

namespace radau5 {

inline constexpr double sqrt6 = 2.4494897427831780982;
inline constexpr double c1 = (4.0 - sqrt6) / 10.0, c2 = (4.0 + sqrt6) / 10.0;

// eigenvalues of A^-1
inline constexpr double gamma = 3.637834252744495732208;
inline constexpr double alpha = 2.681082873627752133896, beta = 3.050430199247410569426;

// eigenvectors: the real one of length 1, the complex one with last component 1
inline constexpr double T[3][3] = {
    {0.091232394870892942792, -0.14125529502095420843, -0.030029194105147424492},
    {0.24171793270710701896, 0.20412935229379993200, 0.38294211275726193780},
    {0.96604818261509293619, 1.0, 0.0}};
inline constexpr double Tinv[3][3] = {
    {4.3255798900631553510, 0.33919925181580986954, 0.54177053993587487119},
    {-4.1787185915519047273, -0.32768282076106238708, 0.47662355450055045196},
    {-0.50287263494578687595, 2.5719269498556054292, -0.59603920482822492497}};

// error estimator
inline constexpr double e1 = -(13.0 + 7.0 * sqrt6) / 3.0, e2 = (-13.0 + 7.0 * sqrt6) / 3.0, e3 = -1.0 / 3.0;

// control parameters of the original code
inline constexpr double roundOff = 1e-16;
inline constexpr double defaultInitialStep = 1e-6;
inline constexpr double safety = 0.9;
inline constexpr double strongestReduction = 5.0, strongestGrowth = 1.0 / 8.0;  // bounds of h / hnew
inline constexpr double keptStepRatio = 1.2;       // 1 <= hnew/h <= this keeps h and its factorisations
inline constexpr double keptJacobianRate = 0.001;  // convergence at least this fast keeps the Jacobian
inline constexpr int mostNewtonIterations = 7;
inline constexpr int mostSingularMatrices = 5;

/// The tolerances the method works with: the error estimate has order 3 and the solution order 5, so
/// rtol = 0.1 tol^(2/3) makes the error of the solution proportional to tol.
struct Tolerances {
  double relative, absolute, newton;
};

/// Throws InputError if a tolerance cannot be met in double precision.
Tolerances transformTolerances(const IntegratorOptions& options);

// Each of these throws SimulationError with the time, the cause and the remedy.
[[noreturn]] void failStepUnderflow(double time, double step);
[[noreturn]] void failTooManySteps(double time, long steps);
[[noreturn]] void failSingularMatrix(double time, double step);
[[noreturn]] void failNotFinite(double time);

}  // namespace radau5

/// Integrates y' = f(t, y) from t0 to tEnd, forwards or backwards. The equation must outlive the integrator.
/// Nothing is allocated after construction.
template <OdeType Ode>
class Radau5 {
 public:
  using State = typename Ode::State;

  /// Throws InputError if the tolerances are too small or not positive.
  Radau5(const Ode& ode, double t0, const State& y0, double tEnd, const IntegratorOptions& options);

  /// One accepted step; none at the end time. Throws SimulationError, with the state as it was, if the step
  /// size underflows, the steps run out, the matrices of (2) stay singular or f is not finite.
  void step();

  double time() const { return time_; }
  double previousTime() const { return previousTime_; }
  const State& state() const { return state_; }

  /// The polynomial (4) of the last step; before the first step the initial value.
  void interpolate(double t, State& y) const;

  /// Goes on from y instead, with the same step size. What a projection moves (less than the tolerance)
  /// leaves the Jacobian and the starting values good; anything larger makes the next step a first one.
  void replaceState(const State& y);

  const WorkCounts& work() const { return work_; }

 private:
  static constexpr int Size = Ode::Size;
  using Complex = std::complex<double>;
  using Matrix = Eigen::Matrix<double, Size, Size>;
  using ComplexMatrix = Eigen::Matrix<Complex, Size, Size>;
  using ComplexState = Eigen::Matrix<Complex, Size, 1>;
  using Stages = std::array<State, 3>;

  void evaluate(double t, const State& y, State& dydt);
  void formJacobian();
  bool factorise();
  void predictStages();
  bool solveStages(double& reduction);
  double newtonCorrection();
  double estimateError();
  double stepRatio(double error) const;
  void accept(double error);
  void chooseNextStep(double proposed);
  void retry(double factor);
  static void combine(const double (&m)[3][3], const Stages& in, Stages& out);
  double norm(const State& v) const { return v.cwiseQuotient(scale_).norm() / std::sqrt(double(v.size())); }

  const Ode& ode_;
  double time_, previousTime_, end_;
  double direction_;    // of time, +1 or -1
  double largestStep_;  // magnitude
  long mostSteps_;
  radau5::Tolerances tolerances_;
  WorkCounts work_;

  // the next step to try
  double step_;
  bool reachesEnd_ = false;        // it ends at end_
  bool first_ = true;              // nothing is known from a step before
  bool retried_ = false;           // an attempt from this state has failed
  bool jacobianIsFresh_ = false;   // J was formed at the present state
  bool jacobianIsUsable_ = false;  // J converges fast enough
  bool factorsAreUsable_ = false;  // the factorisations belong to J and step_

  // what the last attempt has shown
  int newtonIterations_ = 0;
  double convergenceRate_ = 0.0;
  double convergenceFactor_ =
      1.0;  // rate / (1 - rate): the error still left, in units of the last correction
  double acceptedStep_ = 0.0, acceptedError_ = 0.0;

  State state_, slope_, scale_;  // y, f(t, y) and atol + rtol |y|
  Stages stages_, transformed_;  // z and w
  Stages correction_, slopes_;   // dw and f at the stages
  State polynomialEnd_;          // of (4): y + z3
  Stages polynomial_;            // of (4): b1, b2, b3
  State probe_, combination_, errorVector_;
  Matrix jacobian_, realMatrix_;
  ComplexMatrix complexMatrix_;
  ComplexState complexRight_, complexSolution_;
  Eigen::PartialPivLU<Matrix> realFactors_;
  Eigen::PartialPivLU<ComplexMatrix> complexFactors_;
};

template <OdeType Ode>
Radau5<Ode>::Radau5(const Ode& ode, double t0, const State& y0, double tEnd, const IntegratorOptions& options)
    : ode_(ode),
      time_(t0),
      previousTime_(t0),
      end_(tEnd),
      direction_(tEnd < t0 ? -1.0 : 1.0),
      largestStep_(std::abs(tEnd - t0)),
      mostSteps_(options.mostSteps),
      tolerances_(radau5::transformTolerances(options)),
      state_(y0),
      slope_(y0),
      scale_(y0),
      polynomialEnd_(y0),
      probe_(y0),
      combination_(y0),
      errorVector_(y0),
      realFactors_(y0.size()),
      complexFactors_(y0.size()) {
  for (Stages* stages : {&stages_, &transformed_, &correction_, &slopes_, &polynomial_})
    stages->fill(State::Zero(y0.size()));
  jacobian_.setZero(y0.size(), y0.size());
  realMatrix_ = jacobian_;
  complexMatrix_ = jacobian_.template cast<Complex>();
  complexRight_ = complexSolution_ = y0.template cast<Complex>();

  if (options.largestStep > 0.0) largestStep_ = std::min(largestStep_, options.largestStep);
  const double wanted =
      options.initialStep != 0.0 ? std::abs(options.initialStep) : radau5::defaultInitialStep;
  step_ = direction_ * std::min(wanted, largestStep_);
  if ((time_ + 1.0001 * step_ - end_) * direction_ >= 0.0) {
    step_ = end_ - time_;
    reachesEnd_ = true;
  }
}

template <OdeType Ode>
void Radau5<Ode>::step() {
  if (time_ == end_) return;
  evaluate(time_, state_, slope_);
  if (!slope_.allFinite()) radau5::failNotFinite(time_);
  scale_ = tolerances_.absolute + tolerances_.relative * state_.array().abs();

  for (int singularMatrices = 0;;) {
    if (!jacobianIsUsable_) formJacobian();
    if (!factorsAreUsable_ && !factorise()) {
      if (++singularMatrices == radau5::mostSingularMatrices) radau5::failSingularMatrix(time_, step_);
      retry(0.5);
      continue;
    }
    if (work_.steps + work_.rejected >= mostSteps_) radau5::failTooManySteps(time_, mostSteps_);
    if (0.1 * std::abs(step_) <= std::abs(time_) * radau5::roundOff) radau5::failStepUnderflow(time_, step_);

    predictStages();
    double reduction;
    if (!solveStages(reduction)) {
      retry(reduction);
      continue;
    }
    const double error = estimateError();
    if (error < 1.0) return accept(error);
    retry(first_ ? 0.1 : 1.0 / stepRatio(error));
  }
}

template <OdeType Ode>
void Radau5<Ode>::evaluate(double t, const State& y, State& dydt) {
  ode_.derivative(t, y, dydt);
  ++work_.rhsEvaluations;
}

/// J by forward differences, one evaluation a column.
template <OdeType Ode>
void Radau5<Ode>::formJacobian() {
  probe_ = state_;
  for (Eigen::Index i = 0; i < state_.size(); ++i) {
    const double increment = std::sqrt(radau5::roundOff * std::max(1e-5, std::abs(state_[i])));
    probe_[i] = state_[i] + increment;
    evaluate(time_, probe_, combination_);
    jacobian_.col(i) = (combination_ - slope_) / increment;
    probe_[i] = state_[i];
  }
  if (!jacobian_.allFinite()) radau5::failNotFinite(time_);
  ++work_.jacobians;
  jacobianIsFresh_ = jacobianIsUsable_ = true;
  factorsAreUsable_ = false;
}

/// The two matrices of (2); false if one is singular.
template <OdeType Ode>
bool Radau5<Ode>::factorise() {
  realMatrix_ = -jacobian_;
  realMatrix_.diagonal().array() += radau5::gamma / step_;
  realFactors_.compute(realMatrix_);

  complexMatrix_ = -jacobian_.template cast<Complex>();
  complexMatrix_.diagonal().array() += Complex(radau5::alpha, radau5::beta) / step_;
  complexFactors_.compute(complexMatrix_);

  ++work_.factorisations;
  factorsAreUsable_ = (realFactors_.matrixLU().diagonal().array() != 0.0).all() &&
                      (complexFactors_.matrixLU().diagonal().array() != Complex(0.0)).all();
  return factorsAreUsable_;
}

/// out_i = sum_j m_ij in_j.
template <OdeType Ode>
void Radau5<Ode>::combine(const double (&m)[3][3], const Stages& in, Stages& out) {
  for (int i = 0; i < 3; ++i) out[i] = m[i][0] * in[0] + m[i][1] * in[1] + m[i][2] * in[2];
}

/// Starting values for Newton's method: the last collocation polynomial (4), continued over this step.
template <OdeType Ode>
void Radau5<Ode>::predictStages() {
  using namespace radau5;
  if (first_) {
    for (int i = 0; i < 3; ++i) stages_[i].setZero(), transformed_[i].setZero();
    return;
  }
  const double ratio = step_ / acceptedStep_;
  const double s[3] = {c1 * ratio, c2 * ratio, ratio};
  const auto& [b1, b2, b3] = polynomial_;
  for (int i = 0; i < 3; ++i) stages_[i] = s[i] * (b1 + (s[i] + 1.0 - c2) * (b2 + (s[i] + 1.0 - c1) * b3));
  combine(Tinv, stages_, transformed_);
}

/// Simplified Newton iterations for (1). Stops when the error that is left, estimated from the rate of
/// convergence, is small compared with the tolerance. Gives up as soon as the rate shows that the allowed
/// number of iterations will not do, and says by how much to reduce the step.
template <OdeType Ode>
bool Radau5<Ode>::solveStages(double& reduction) {
  using namespace radau5;
  convergenceFactor_ = std::pow(std::max(convergenceFactor_, roundOff), 0.8);
  convergenceRate_ = keptJacobianRate;
  reduction = 0.5;

  double lastSize = 0.0, lastRatio = 0.0;
  for (newtonIterations_ = 1; newtonIterations_ <= mostNewtonIterations; ++newtonIterations_) {
    const double size = newtonCorrection();
    if (!std::isfinite(size)) return false;

    // the rate of convergence, and what it promises for the last iteration allowed
    if (newtonIterations_ > 1 && newtonIterations_ < mostNewtonIterations) {
      const double ratio = size / lastSize;
      convergenceRate_ = newtonIterations_ == 2 ? ratio : std::sqrt(ratio * lastRatio);
      lastRatio = ratio;
      if (convergenceRate_ >= 0.99) return false;

      convergenceFactor_ = convergenceRate_ / (1.0 - convergenceRate_);
      const int left = mostNewtonIterations - 1 - newtonIterations_;
      const double promised =
          convergenceFactor_ * size * std::pow(convergenceRate_, left) / tolerances_.newton;
      if (promised >= 1.0) {
        reduction = 0.8 * std::pow(std::min(20.0, promised), -1.0 / (4.0 + left));
        return false;
      }
    }
    lastSize = std::max(size, roundOff);

    for (int i = 0; i < 3; ++i) transformed_[i] += correction_[i];
    combine(T, transformed_, stages_);
    if (convergenceFactor_ * size <= tolerances_.newton) return true;
  }
  return false;
}

/// Solves (2) for the correction dw; returns its norm.
template <OdeType Ode>
double Radau5<Ode>::newtonCorrection() {
  using namespace radau5;
  ++work_.newtonIterations;
  const double times[3] = {time_ + c1 * step_, time_ + c2 * step_, time_ + step_};
  for (int i = 0; i < 3; ++i) {
    probe_ = state_ + stages_[i];
    evaluate(times[i], probe_, slopes_[i]);
  }
  combine(Tinv, slopes_, correction_);

  // the real system; the solution may not overwrite the right-hand side, or Eigen allocates
  combination_ = correction_[0] - gamma / step_ * transformed_[0];
  correction_[0] = realFactors_.solve(combination_);

  // the complex one
  const Complex eigenvalue = Complex(alpha, beta) / step_;
  for (Eigen::Index k = 0; k < state_.size(); ++k)
    complexRight_[k] = Complex(correction_[1][k], correction_[2][k]) -
                       eigenvalue * Complex(transformed_[1][k], transformed_[2][k]);
  complexSolution_ = complexFactors_.solve(complexRight_);
  correction_[1] = complexSolution_.real();
  correction_[2] = complexSolution_.imag();

  double sum = 0.0;
  for (const State& w : correction_) sum += w.cwiseQuotient(scale_).squaredNorm();
  return std::sqrt(sum / (3.0 * double(state_.size())));
}

/// The norm (3). Where it would reject a first or repeated step it is filtered once more, with
/// f(t, y + error) in place of f(t, y): stiff transients no longer dominate it then.
template <OdeType Ode>
double Radau5<Ode>::estimateError() {
  using namespace radau5;
  constexpr double smallest = 1e-10;
  const auto& [z1, z2, z3] = stages_;
  combination_ = (e1 * z1 + e2 * z2 + e3 * z3) / step_;
  probe_ = combination_ + slope_;
  errorVector_ = realFactors_.solve(probe_);
  const double error = std::max(norm(errorVector_), smallest);
  if (error < 1.0 || !(first_ || retried_)) return error;

  probe_ = state_ + errorVector_;
  evaluate(time_, probe_, errorVector_);
  probe_ = errorVector_ + combination_;
  errorVector_ = realFactors_.solve(probe_);
  return std::max(norm(errorVector_), smallest);
}

/// h / hnew from the error of this step; many Newton iterations make the new step smaller.
template <OdeType Ode>
double Radau5<Ode>::stepRatio(double error) const {
  using namespace radau5;
  constexpr double most = 2.0 * mostNewtonIterations;
  const double factor = std::min(safety, safety * (1.0 + most) / (newtonIterations_ + most));
  return std::max(strongestGrowth, std::min(strongestReduction, std::pow(error, 0.25) / factor));
}

template <OdeType Ode>
void Radau5<Ode>::accept(double error) {
  using namespace radau5;
  // the predictive controller: the trend of the error over two steps may ask for a smaller step
  double ratio = stepRatio(error);
  if (!first_) {
    const double trend = acceptedStep_ / step_ * std::pow(error * error / acceptedError_, 0.25) / safety;
    ratio = std::max(ratio, std::max(strongestGrowth, std::min(strongestReduction, trend)));
  }
  acceptedStep_ = step_;
  acceptedError_ = std::max(1e-2, error);
  first_ = false;

  previousTime_ = time_;
  time_ = reachesEnd_ ? end_ : time_ + step_;
  state_ += stages_[2];
  ++work_.steps;

  // divided differences of (4)
  const auto& [z1, z2, z3] = stages_;
  auto& [b1, b2, b3] = polynomial_;
  b1 = (z2 - z3) / (c2 - 1.0);
  b2 = ((z1 - z2) / (c1 - c2) - b1) / (c1 - 1.0);
  b3 = b2 - ((z1 - z2) / (c1 - c2) - z1 / c1) / c2;
  polynomialEnd_ = state_;

  chooseNextStep(direction_ * std::min(std::abs(step_ / ratio), largestStep_));
}

/// A Jacobian with which Newton's method converges fast is kept; so is the step size, with both
/// factorisations, where it would grow by little only.
template <OdeType Ode>
void Radau5<Ode>::chooseNextStep(double proposed) {
  if (retried_) proposed = direction_ * std::min(std::abs(proposed), std::abs(step_));
  retried_ = false;
  jacobianIsFresh_ = false;
  jacobianIsUsable_ = convergenceRate_ <= radau5::keptJacobianRate;

  reachesEnd_ = (time_ + proposed - end_) * direction_ >= 0.0;
  const double growth = proposed / step_;
  factorsAreUsable_ = !reachesEnd_ && jacobianIsUsable_ && growth >= 1.0 && growth <= radau5::keptStepRatio;
  if (!factorsAreUsable_) step_ = reachesEnd_ ? end_ - time_ : proposed;
}

/// Prepares another attempt from the same state, with a Jacobian of this state.
template <OdeType Ode>
void Radau5<Ode>::retry(double factor) {
  ++work_.rejected;
  step_ *= factor;
  reachesEnd_ = false;
  retried_ = true;
  jacobianIsUsable_ = jacobianIsFresh_;
  factorsAreUsable_ = false;
}

template <OdeType Ode>
void Radau5<Ode>::interpolate(double t, State& y) const {
  using namespace radau5;
  const double s = acceptedStep_ == 0.0 ? 0.0 : (t - time_) / acceptedStep_;
  const auto& [b1, b2, b3] = polynomial_;
  y = polynomialEnd_ + s * (b1 + (s + 1.0 - c2) * (b2 + (s + 1.0 - c1) * b3));
}

template <OdeType Ode>
void Radau5<Ode>::replaceState(const State& y) {
  scale_ = tolerances_.absolute + tolerances_.relative * state_.array().abs();
  errorVector_ = y - state_;
  if (norm(errorVector_) > 1.0) {
    first_ = true;
    jacobianIsUsable_ = factorsAreUsable_ = false;
  }
  state_ = y;
}

extern template class Radau5<OdeSystem>;

}  // namespace polhode
