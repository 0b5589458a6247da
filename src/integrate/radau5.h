#pragma once

#include "integrate/one_step.h"
#include "integrate/radau5_coefficients.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <complex>
#include <limits>

/// RADAU5: the implicit Runge-Kutta method Radau IIA with three stages, order 5, for stiff equations.
///
/// The step from (t, y) to (t + h, y + z3) solves for the stages z_i = Y_i - y
///
///     z_i = h sum_j a_ij f(t + c_j h, y + z_j),   c = ((4 - sqrt 6)/10, (4 + sqrt 6)/10, 1)         (1)
///
/// by simplified Newton iterations. With T^-1 A^-1 T = diag(gamma, (alpha, -beta; beta, alpha)), w = T^-1 z
/// and g = T^-1 f each of them separates into one real and one complex system of the size of y,
///
///     (gamma/h - J) dw1                      = -gamma/h w1 + g1                                     (2)
///     ((alpha + i beta)/h - J) (dw2 + i dw3) = -(alpha + i beta)/h (w2 + i w3) + g2 + i g3
///
/// The error is estimated with an embedded formula of order 3, filtered to stay bounded for stiff J:
///
///     err = || (gamma/h - J)^-1 (f(t, y) + (e1 z1 + e2 z2 + e3 z3)/h) ||,   accepted if err < 1     (3)
///     ||v||^2 = 1/n sum_i (v_i / (atol + rtol |y_i|))^2
///
/// Between the ends the solution is the collocation polynomial (order 3), written from the end of the step:
///
///     u(t + h + s h) = y + z3 + s (b1 + (s + 1 - c2) (b2 + (s + 1 - c1) b3)),   -1 <= s <= 0        (4)
///
/// A stage where f is not defined makes the step be tried again at half its length.
/// Assumes that f is smooth within a step. The method is L-stable and stiffly accurate; it conserves linear
/// invariants only. J is formed by finite differences and kept while Newton's method converges fast.
///
/// Reference: Hairer & Wanner, Solving Ordinary Differential Equations II, 2nd ed. 1996, section IV.8; (3) is
/// (8.19) there and the predictive control of the step size (8.25). Parameters and control logic are those of
/// the authors' code, so that numbers of evaluations can be compared.
namespace polhode {

/// Nothing is allocated after construction (beyond some 200 unknowns Eigen takes workspace to factorise).
template <OdeType Ode>
class Radau5 : public OneStepCode<Ode> {
  using Base = OneStepCode<Ode>;

 public:
  using typename Base::State;

  /// The equation must outlive the integrator. Throws InputError if the tolerances are too small.
  Radau5(const Ode& ode, double t0, const State& y0, double tEnd, const IntegratorOptions& options);

  /// One accepted step; none at the end time. Throws SimulationError, with the state as it was, if the step
  /// size underflows, the steps run out, the matrices of (2) stay singular or f is not finite.
  void step();

  /// The polynomial (4) of the last step; before the first step the initial value.
  void interpolate(double t, State& y) const;

  /// Goes on from y with the same step size. A change within the tolerance (a projection) leaves the Jacobian
  /// and the starting values good; a larger one makes the next step a first step.
  void replaceState(const State& y);

  void persist(Archive& archive);

 private:
  static constexpr int Size = Ode::Size;
  using Complex = std::complex<double>;
  using Matrix = Eigen::Matrix<double, Size, Size>;
  using ComplexMatrix = Eigen::Matrix<Complex, Size, Size>;
  using ComplexState = Eigen::Matrix<Complex, Size, 1>;
  using Stages = std::array<State, 3>;

  using Base::evaluate, Base::h_, Base::hMax_, Base::lastStep_, Base::t_, Base::tEnd_, Base::weights_, Base::work_,
      Base::y_;

  // the method
  void formJacobian();
  bool factorise();
  void predictStages();
  double newtonCorrection();
  bool solveStages(double& reduction);
  double estimateError();
  void keepPolynomial();

  // its control
  double stepRatio(double error) const;
  void accept(double error);
  void retry(double factor);
  void chooseNextStep(double proposed);

  void updateScale() { scale_ = weights_.absolute + weights_.relative * y_.array().abs(); }
  double norm(const State& v) const { return v.cwiseQuotient(scale_).norm() / std::sqrt(double(v.size())); }
  static void combine(const double (&m)[3][3], const Stages& in, Stages& out);

  double newtonTolerance_;

  // what is known when a step begins
  bool first_ = true;              // nothing from a step before
  bool retried_ = false;           // an attempt from this state has failed
  bool jacobianIsFresh_ = false;   // J was formed at the present state
  bool jacobianIsUsable_ = false;  // Newton's method converges fast with J
  bool factorsAreUsable_ = false;  // the factorisations belong to J and h

  // what the last attempt has shown
  int newtonIterations_ = 0;
  double convergenceRate_ = 0.0;
  double errorLeft_ = 1.0;  // of Newton's method, in units of its last correction: rate / (1 - rate)
  double acceptedStep_ = 0.0, acceptedError_ = 0.0;

  State slope_, scale_;          // f(t, y) and atol + rtol |y|
  Stages stages_, transformed_;  // z and w
  Stages slopes_, correction_;   // f at the stages and dw
  State polynomialEnd_;          // y + z3 of (4)
  Stages polynomial_;            // b1, b2, b3 of (4)
  State probe_, combination_, errorVector_;
  Matrix jacobian_, realMatrix_;
  ComplexMatrix complexMatrix_;
  ComplexState complexRight_, complexSolution_;
  Eigen::PartialPivLU<Matrix> realFactors_;
  Eigen::PartialPivLU<ComplexMatrix> complexFactors_;
};

template <OdeType Ode>
Radau5<Ode>::Radau5(const Ode& ode, double t0, const State& y0, double tEnd, const IntegratorOptions& options)
    : Base(ode, t0, y0, tEnd, options), polynomialEnd_(y0), realFactors_(y0.size()), complexFactors_(y0.size()) {
  const radau5::Tolerances tolerances = radau5::transformTolerances(options);
  weights_ = {tolerances.relative, tolerances.absolute};
  newtonTolerance_ = tolerances.newton;

  // all storage
  for (State* v : {&slope_, &scale_, &probe_, &combination_, &errorVector_}) *v = y0;
  for (Stages* v : {&stages_, &transformed_, &slopes_, &correction_, &polynomial_}) v->fill(State::Zero(y0.size()));
  realMatrix_ = jacobian_ = Matrix::Zero(y0.size(), y0.size());
  complexMatrix_ = ComplexMatrix::Zero(y0.size(), y0.size());
  complexRight_ = complexSolution_ = ComplexState::Zero(y0.size());

  h_ = std::min(options.initialStep > 0.0 ? options.initialStep : radau5::defaultInitialStep, hMax_);
  lastStep_ = t_ + 1.0001 * h_ >= tEnd_;
  if (lastStep_) h_ = tEnd_ - t_;
}

template <OdeType Ode>
void Radau5<Ode>::step() {
  if (t_ == tEnd_) return;
  evaluate(t_, y_, slope_);
  if (!slope_.allFinite()) radau5::failNotFinite(t_);
  updateScale();

  for (int singularMatrices = 0;;) {
    this->requireProgress();
    if (!jacobianIsUsable_) formJacobian();
    if (!factorsAreUsable_ && !factorise()) {
      if (++singularMatrices == radau5::mostSingularMatrices) radau5::failSingularMatrix(t_, h_);
      retry(0.5);
      continue;
    }
    predictStages();
    double reduction;
    if (!solveStages(reduction)) {
      retry(reduction);
      continue;
    }
    double error = std::numeric_limits<double>::infinity();
    this->isDefined([&] { error = estimateError(); });
    if (error < 1.0) return accept(error);
    retry(first_ ? 0.1 : 1.0 / stepRatio(error));
  }
}

/// J by forward differences, one evaluation a column.
template <OdeType Ode>
void Radau5<Ode>::formJacobian() {
  probe_ = y_;
  for (Eigen::Index i = 0; i < y_.size(); ++i) {
    const double increment = std::sqrt(radau5::roundOff * std::max(1e-5, std::abs(y_[i])));
    probe_[i] = y_[i] + increment;
    evaluate(t_, probe_, combination_);
    jacobian_.col(i) = (combination_ - slope_) / increment;
    probe_[i] = y_[i];
  }
  if (!jacobian_.allFinite()) radau5::failNotFinite(t_);
  ++work_.jacobians;
  jacobianIsFresh_ = jacobianIsUsable_ = true;
  factorsAreUsable_ = false;
}

/// The two matrices of (2); false if one is singular.
template <OdeType Ode>
bool Radau5<Ode>::factorise() {
  realMatrix_ = -jacobian_;
  realMatrix_.diagonal().array() += radau5::gamma / h_;
  realFactors_.compute(realMatrix_);

  complexMatrix_ = -jacobian_.template cast<Complex>();
  complexMatrix_.diagonal().array() += Complex(radau5::alpha, radau5::beta) / h_;
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
    for (State& z : stages_) z.setZero();
    for (State& w : transformed_) w.setZero();
    return;
  }
  const double ratio = h_ / acceptedStep_;
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
  errorLeft_ = std::pow(std::max(errorLeft_, roundOff), 0.8);
  convergenceRate_ = keptJacobianRate;
  reduction = 0.5;

  double lastSize = 0.0, lastRatio = 0.0;
  for (newtonIterations_ = 1; newtonIterations_ <= radau5::mostNewtonIterations; ++newtonIterations_) {
    double size = 0.0;
    const bool defined = this->isDefined([&] { size = newtonCorrection(); });
    if (!defined || !std::isfinite(size)) return false;

    // the rate of convergence, and what it promises for the last iteration allowed
    if (newtonIterations_ > 1 && newtonIterations_ < radau5::mostNewtonIterations) {
      const double ratio = size / lastSize;
      convergenceRate_ = newtonIterations_ == 2 ? ratio : std::sqrt(ratio * lastRatio);
      lastRatio = ratio;
      if (convergenceRate_ >= 0.99) return false;

      errorLeft_ = convergenceRate_ / (1.0 - convergenceRate_);
      const int left = radau5::mostNewtonIterations - 1 - newtonIterations_;
      const double promised = errorLeft_ * size * std::pow(convergenceRate_, left) / newtonTolerance_;
      if (promised >= 1.0) {
        reduction = 0.8 * std::pow(std::min(20.0, promised), -1.0 / (4.0 + left));
        return false;
      }
    }
    lastSize = std::max(size, roundOff);

    for (int i = 0; i < 3; ++i) transformed_[i] += correction_[i];
    combine(T, transformed_, stages_);
    if (errorLeft_ * size <= newtonTolerance_) return true;
  }
  return false;
}

/// Solves (2) for the correction dw; returns its norm.
template <OdeType Ode>
double Radau5<Ode>::newtonCorrection() {
  using namespace radau5;
  ++work_.newtonIterations;
  const double times[3] = {t_ + c1 * h_, t_ + c2 * h_, t_ + h_};
  for (int i = 0; i < 3; ++i) {
    probe_ = y_ + stages_[i];
    evaluate(times[i], probe_, slopes_[i]);
  }
  combine(Tinv, slopes_, correction_);

  // the real system; the solution may not overwrite the right-hand side, or Eigen allocates
  combination_ = correction_[0] - gamma / h_ * transformed_[0];
  correction_[0] = realFactors_.solve(combination_);

  // the complex one
  const Complex eigenvalue = Complex(alpha, beta) / h_;
  for (Eigen::Index k = 0; k < y_.size(); ++k)
    complexRight_[k] =
        Complex(correction_[1][k], correction_[2][k]) - eigenvalue * Complex(transformed_[1][k], transformed_[2][k]);
  complexSolution_ = complexFactors_.solve(complexRight_);
  correction_[1] = complexSolution_.real();
  correction_[2] = complexSolution_.imag();

  double sum = 0.0;
  for (const State& w : correction_) sum += w.cwiseQuotient(scale_).squaredNorm();
  return std::sqrt(sum / (3.0 * double(y_.size())));
}

/// The norm (3). Where it would reject a first or repeated step it is filtered once more, with
/// f(t, y + error) in place of f(t, y): stiff transients no longer dominate it then.
template <OdeType Ode>
double Radau5<Ode>::estimateError() {
  using namespace radau5;
  constexpr double smallest = 1e-10;
  const auto& [z1, z2, z3] = stages_;
  combination_ = (e1 * z1 + e2 * z2 + e3 * z3) / h_;
  probe_ = combination_ + slope_;
  errorVector_ = realFactors_.solve(probe_);
  const double error = std::max(norm(errorVector_), smallest);
  if (error < 1.0 || !(first_ || retried_)) return error;

  probe_ = y_ + errorVector_;
  evaluate(t_, probe_, errorVector_);
  probe_ = errorVector_ + combination_;
  errorVector_ = realFactors_.solve(probe_);
  return std::max(norm(errorVector_), smallest);
}

/// h / hnew from the error of this step; many Newton iterations make the new step smaller.
template <OdeType Ode>
double Radau5<Ode>::stepRatio(double error) const {
  using namespace radau5;
  constexpr double most = 2.0 * radau5::mostNewtonIterations;
  const double factor = std::min(safety, safety * (1.0 + most) / (newtonIterations_ + most));
  return std::max(strongestGrowth, std::min(strongestReduction, std::pow(error, 0.25) / factor));
}

template <OdeType Ode>
void Radau5<Ode>::accept(double error) {
  using namespace radau5;
  // the predictive controller: the trend of the error over two steps may ask for a smaller step
  double ratio = stepRatio(error);
  if (!first_) {
    const double trend = acceptedStep_ / h_ * std::pow(error * error / acceptedError_, 0.25) / safety;
    ratio = std::max(ratio, std::min(strongestReduction, trend));
  }
  acceptedStep_ = h_;
  acceptedError_ = std::max(1e-2, error);
  first_ = false;

  y_ += stages_[2];
  this->moveTo(h_);
  keepPolynomial();
  chooseNextStep(std::min(h_ / ratio, hMax_));
}

/// The divided differences of (4).
template <OdeType Ode>
void Radau5<Ode>::keepPolynomial() {
  using namespace radau5;
  const auto& [z1, z2, z3] = stages_;
  auto& [b1, b2, b3] = polynomial_;
  b1 = (z2 - z3) / (c2 - 1.0);
  b2 = ((z1 - z2) / (c1 - c2) - b1) / (c1 - 1.0);
  b3 = b2 - ((z1 - z2) / (c1 - c2) - z1 / c1) / c2;
  polynomialEnd_ = y_;
}

/// Keeps a Jacobian with which Newton's method converges fast, and the step size with its factorisations
/// where it would only grow a little.
template <OdeType Ode>
void Radau5<Ode>::chooseNextStep(double proposed) {
  if (retried_) proposed = std::min(proposed, h_);
  retried_ = false;
  jacobianIsFresh_ = false;
  jacobianIsUsable_ = convergenceRate_ <= radau5::keptJacobianRate;

  lastStep_ = t_ + proposed >= tEnd_;
  const double growth = proposed / h_;
  factorsAreUsable_ = !lastStep_ && jacobianIsUsable_ && growth >= 1.0 && growth <= radau5::keptStepRatio;
  if (!factorsAreUsable_) h_ = lastStep_ ? tEnd_ - t_ : proposed;
}

/// Prepares another attempt from the same state, with a Jacobian of this state.
template <OdeType Ode>
void Radau5<Ode>::retry(double factor) {
  ++work_.rejected;
  h_ *= factor;
  lastStep_ = false;
  retried_ = true;
  jacobianIsUsable_ = jacobianIsFresh_;
  factorsAreUsable_ = false;
}

template <OdeType Ode>
void Radau5<Ode>::interpolate(double t, State& y) const {
  using namespace radau5;
  const double s = acceptedStep_ == 0.0 ? 0.0 : (t - t_) / acceptedStep_;
  const auto& [b1, b2, b3] = polynomial_;
  y = polynomialEnd_ + s * (b1 + (s + 1.0 - c2) * (b2 + (s + 1.0 - c1) * b3));
}

template <OdeType Ode>
void Radau5<Ode>::replaceState(const State& y) {
  updateScale();
  errorVector_ = y - y_;
  if (norm(errorVector_) > 1.0) {
    first_ = true;
    jacobianIsFresh_ = jacobianIsUsable_ = factorsAreUsable_ = false;
  }
  y_ = y;
}

/// The factorisations are made anew from their matrices.
template <OdeType Ode>
void Radau5<Ode>::persist(Archive& archive) {
  archive.section("radau5");
  Base::persistBase(archive);
  archive(first_, retried_, jacobianIsFresh_, jacobianIsUsable_, factorsAreUsable_);
  archive(newtonIterations_, convergenceRate_, errorLeft_, acceptedStep_, acceptedError_);
  archive(slope_, scale_, stages_, transformed_, polynomialEnd_, polynomial_, jacobian_, realMatrix_, complexMatrix_);
  if (archive.restores() && factorsAreUsable_) {
    realFactors_.compute(realMatrix_);
    complexFactors_.compute(complexMatrix_);
  }
}

extern template class Radau5<OdeSystem>;

}  // namespace polhode
