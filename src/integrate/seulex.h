#pragma once

#include "integrate/euler_interpolant.h"
#include "integrate/extrapolation.h"

#include <algorithm>
#include <cmath>

/// SEULEX: the extrapolated linearly implicit Euler method for stiff equations, with variable order (up to 12) and
/// step size.
///
/// Row j of the extrapolation tableau takes n_j = 2, 3, 4, 6, 8, 12, 16, ... substeps of size h = H/n_j
///
///     (1/h - J) (y_{i+1} - y_i) = f(t_i, y_i),   J = df/dy(t_0, y_0),   T_{j,1} = y_n                   (1)
///
/// whose error expands in powers of h, and extrapolates (extrapolation_control.h, (1) with p = 1). An error in
/// component i is measured in units of atol + rtol |y_0,i|. The second iteration of a simplified Newton method for
/// the implicit Euler step tells whether J describes f well over the step,
///
///     (1/h - J) d = f(t_1, y_1) - (y_1 - y_0)/h,   theta = |d| / max(1, |y_1 - y_0|)   in rows 1 and 2   (2)
///
/// If theta > 1 the step is halved; if theta <= min(1e-4, rtol) the next step keeps J. J is formed by differences.
///
/// If f depends on time, (1) remains consistent, but theta then measures this too and may stop a stiff problem. So
/// the first time that theta > 1 the method looks whether f changes with t alone; if it does, f(t_{i+1}, y_i) takes
/// the place of f(t_i, y_i) from there on, for one more evaluation a row.
///
/// Assumes that f is smooth within a step. Conserves linear invariants only. The state between the ends of a step
/// comes from euler_interpolant.h and costs no evaluations; where f is not stiff it is of order k - 2 after a step that
/// was accepted in row k >= 4.
///
/// Reference: Hairer & Wanner, Solving Ordinary Differential Equations II, 2nd ed. 1996, section IV.9; (2) is
/// Deuflhard's stability check there. Parameters and control logic are those of the authors' code, so that numbers of
/// evaluations can be compared; f is not evaluated again where a step is halved.
namespace polhode {

constexpr ExtrapolationRules seulexRules() {
  ExtrapolationRules rules{.rows = 12,
                           .power = 1,
                           .substeps = {0, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64, 96},
                           .work = {},
                           .firstRowWork = 1e30,
                           .strongestGrowth = 0.1,
                           .strongestReduction = 4.0,
                           .errorSafety = 0.6,
                           .stepSafety = 0.93,
                           .lowerOrder = 0.7,
                           .higherOrder = 0.9,
                           .expectedGain = 2.0};

  // work is counted in evaluations of f: so much are an evaluation with a solution, a factorisation, a Jacobian
  constexpr double substep = 2.0, factorisation = 1.0, jacobian = 5.0;
  rules.work[1] = jacobian + rules.substeps[1] * substep + factorisation;
  for (int j = 2; j <= rules.rows; ++j)
    rules.work[j] = rules.work[j - 1] + (rules.substeps[j] - 1) * substep + factorisation;
  return rules;
}

template <OdeType Ode>
class Seulex : public ExtrapolationCode<Seulex<Ode>, Ode> {
  using Base = ExtrapolationCode<Seulex<Ode>, Ode>;

 public:
  using State = typename Ode::State;

  /// The equation must outlive the integrator.
  Seulex(const Ode& ode, double t0, const State& y0, double tEnd, const IntegratorOptions& options);

  void persist(Archive& archive) {
    archive.section("seulex");
    Base::persistBase(archive);
    archive(jacobian_, theta_, jacobianIsFresh_, timeDependent_, interpolant_, rowsKept_);
  }

 private:
  friend Base;
  using Base::control_, Base::evaluate, Base::h_, Base::scale_, Base::slope, Base::t_, Base::tableau_, Base::weights_,
      Base::work_, Base::y_, Base::yOld_;
  using Matrix = Eigen::Matrix<double, Ode::Size, Ode::Size>;

  static constexpr ExtrapolationRules rules = seulexRules();

  // what ExtrapolationCode asks for
  void prepareStep();
  double computeRow(int row);
  void keepStep();
  void buildInterpolant() { interpolant_.build(rowsKept_, rules.substeps, yOld_, tableau_[1]); }
  void evaluateInterpolant(double s, State& y) const { interpolant_.evaluate(s, y); }

  void formJacobian();
  void factorise(double h);
  bool linearlyImplicitEuler(int row);
  bool isStable(double h);
  bool dependsOnTime();

  double norm(const State& v) const { return v.cwiseQuotient(scale_).norm(); }

  Matrix jacobian_, eulerMatrix_;
  Eigen::PartialPivLU<Matrix> factors_;
  State inside_, slopeInside_;    // y_i and f there
  State increment_;               // y_{i+1} - y_i
  State residual_, correction_;   // the right-hand side and d of (2)
  double keepsJacobian_;          // largest theta for which J is kept
  double theta_;                  // of (2), the last one
  bool jacobianIsFresh_ = false;  // formed at the present state
  bool timeDependent_ = false;    // f has been seen to depend on t
  EulerInterpolant<State> interpolant_;
  int rowsKept_ = 0;  // rows of the last step
};

template <OdeType Ode>
Seulex<Ode>::Seulex(const Ode& ode, double t0, const State& y0, double tEnd, const IntegratorOptions& options)
    : Base(ode, t0, y0, tEnd, options, rules,
           rowForTolerance(options.relativeTolerance + options.absoluteTolerance, rules.rows - 2)),
      factors_(y0.size()),
      keepsJacobian_(std::min(1e-4, options.relativeTolerance)),
      theta_(2.0 * keepsJacobian_),
      interpolant_(y0) {
  for (State* state : {&inside_, &slopeInside_, &increment_, &residual_, &correction_}) *state = y0;
  jacobian_ = eulerMatrix_ = Matrix::Zero(y0.size(), y0.size());
}

template <OdeType Ode>
void Seulex<Ode>::prepareStep() {
  scale_ = weights_.absolute + weights_.relative * y_.array().abs();
  slope();
  const bool jacobianIsGood = theta_ <= keepsJacobian_ && !control_.afterRejection();
  if (!jacobianIsGood && !jacobianIsFresh_) formJacobian();
}

/// J by forward differences, one evaluation a column.
template <OdeType Ode>
void Seulex<Ode>::formJacobian() {
  constexpr double roundOff = 1e-16;
  const State& f = slope();
  inside_ = y_;
  for (Eigen::Index i = 0; i < y_.size(); ++i) {
    const double increment = std::sqrt(roundOff * std::max(1e-5, std::abs(y_[i])));
    inside_[i] = y_[i] + increment;
    evaluate(t_, inside_, slopeInside_);
    jacobian_.col(i) = (slopeInside_ - f) / increment;
    inside_[i] = y_[i];
  }
  ++work_.jacobians;
  jacobianIsFresh_ = true;
}

/// The matrix of (1). If it is singular the solutions are not finite, and the row counts as unstable.
template <OdeType Ode>
void Seulex<Ode>::factorise(double h) {
  eulerMatrix_ = -jacobian_;
  eulerMatrix_.diagonal().array() += 1.0 / h;
  factors_.compute(eulerMatrix_);
  ++work_.factorisations;
}

template <OdeType Ode>
double Seulex<Ode>::computeRow(int row) {
  if (!linearlyImplicitEuler(row)) {
    timeDependent_ = timeDependent_ || dependsOnTime();
    return Base::infinity;
  }
  tableau_[row] = inside_ + increment_;
  if (row == 1) return 0.0;
  extrapolate(tableau_, rules.substeps, 1, row, rules.power);
  return Base::errorOfRow();
}

/// Equation (1) up to y_{n-1}, left in inside_, and the last increment; false if it is unstable.
template <OdeType Ode>
bool Seulex<Ode>::linearlyImplicitEuler(int row) {
  const int n = rules.substeps[row];
  const double h = h_ / n;
  const int ahead = timeDependent_ ? 1 : 0;  // f is taken at t_{i + ahead}
  factorise(h);

  inside_ = y_;
  if (timeDependent_)
    evaluate(t_ + h, y_, slopeInside_);
  else
    slopeInside_ = slope();
  increment_ = factors_.solve(slopeInside_);
  interpolant_.keep(row, n, 1, inside_, increment_);

  for (int i = 1; i < n; ++i) {
    inside_ += increment_;
    evaluate(t_ + (i + ahead) * h, inside_, slopeInside_);
    if (i == 1 && row <= 2 && !isStable(h)) return false;
    increment_ = factors_.solve(slopeInside_);
    interpolant_.keep(row, n, i + 1, inside_, increment_);
  }
  return true;
}

/// Equation (2), after the first substep.
template <OdeType Ode>
bool Seulex<Ode>::isStable(double h) {
  if (timeDependent_)
    evaluate(t_ + h, inside_, residual_);
  else
    residual_ = slopeInside_;
  residual_ -= increment_ / h;
  correction_ = factors_.solve(residual_);
  theta_ = norm(correction_) / std::max(1.0, norm(increment_));
  return theta_ <= 1.0;
}

template <OdeType Ode>
bool Seulex<Ode>::dependsOnTime() {
  evaluate(t_ + h_, y_, slopeInside_);
  return slopeInside_ != slope();
}

template <OdeType Ode>
void Seulex<Ode>::keepStep() {
  jacobianIsFresh_ = false;
  rowsKept_ = control_.row();
}

extern template class Seulex<OdeSystem>;

}  // namespace polhode
