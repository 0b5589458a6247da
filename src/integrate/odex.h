#pragma once

#include "integrate/extrapolation.h"
#include "integrate/midpoint_interpolant.h"

#include <algorithm>
#include <cmath>
#include <limits>

/// ODEX: the method of Gragg, Bulirsch and Stoer, explicit, with variable order (up to 18) and step size.
///
/// Row j of the extrapolation tableau takes n_j = 2j substeps of size h = H/n_j with the midpoint rule
///
///     y_1 = y_0 + h f(t_0, y_0),   y_{i+1} = y_{i-1} + 2 h f(t_i, y_i),   i = 1..n_j                    (1)
///     T_{j,1} = (y_{n-1} + y_n + h f(t_n, y_n))/2        Gragg's smoothing step                         (2)
///
/// whose error expands in powers of h^2, and extrapolates (extrapolation_control.h, (1) with p = 2). An error in
/// component i is measured in units of atol + rtol max(|y_0,i|, |T_{j,j,i}|). A step is halved if the tableau
/// diverges or if the slope changes too much over the first substep,
///
///     || f(t_1, y_1) - f(t_0, y_0) || > 2 || f(t_0, y_0) ||   in row 1 or 2                             (3)
///
/// where the right-hand side is at least a tenth of the tolerance in a substep: a motion may begin at rest.
///
/// Assumes that f is smooth within a step and not stiff. Conserves linear invariants only. The state between the
/// ends of a step comes from midpoint_interpolant.h, of order 5 or more. Steps in which it is not asked for cost
/// nothing; the first request in a step evaluates f at its end (which the next step then need not do) and adds rows
/// n = 10, 14, 18, ... to those that the step has computed until the interpolation is as accurate as the tolerance.
///
/// Reference: Hairer, Norsett & Wanner, Solving Ordinary Differential Equations I, 2nd ed. 1993, section II.9.
/// Parameters and control logic are those of the authors' code without dense output, so that numbers of
/// evaluations can be compared; f is not evaluated again where a step is halved.
namespace polhode {

constexpr ExtrapolationRules odexRules() {
  ExtrapolationRules rules{.rows = 9,
                           .power = 2,
                           .substeps = {},
                           .work = {},
                           .firstRowWork = 0.0,
                           .strongestGrowth = 0.02,
                           .strongestReduction = 4.0,
                           .errorSafety = 0.65,
                           .stepSafety = 0.94,
                           .lowerOrder = 0.8,
                           .higherOrder = 0.9,
                           .expectedGain = 0.5};

  // work is counted in evaluations of f; the one at the start of the step is shared
  rules.work[0] = 1.0;
  for (int j = 1; j <= rules.rows; ++j) {
    rules.substeps[j] = 2 * j;
    rules.work[j] = rules.work[j - 1] + rules.substeps[j];
  }
  return rules;
}

template <OdeType Ode>
class Odex : public ExtrapolationCode<Odex<Ode>, Ode> {
  using Base = ExtrapolationCode<Odex<Ode>, Ode>;

 public:
  using State = typename Ode::State;

  /// The equation must outlive the integrator.
  Odex(const Ode& ode, double t0, const State& y0, double tEnd, const IntegratorOptions& options);

  void replaceState(const State& y);

  void persist(Archive& archive) {
    archive.section("odex");
    Base::persistBase(archive);
    archive(slopeInside_, slopeOld_, interpolant_, rowsKept_, stateWasReplaced_);
  }

 private:
  friend Base;
  using Base::control_, Base::evaluate, Base::h_, Base::scale_, Base::slope, Base::t_, Base::tableau_, Base::tOld_,
      Base::weights_, Base::y_, Base::yOld_;

  static constexpr ExtrapolationRules rules = odexRules();

  // what ExtrapolationCode asks for
  void prepareStep() { slope(); }
  double computeRow(int row);
  void keepStep();
  void buildInterpolant();
  void evaluateInterpolant(double s, State& y) const { interpolant_.evaluate(s - 0.5, y); }

  bool midpointRule(int n, double t, double H, const State& y, const State& f, int keptRow, bool checkStability);
  bool slopeJumps(double h, const State& f0, const State& f1) const;

  State older_, newer_;  // y_{i-1}, y_i
  State slopeInside_;    // f(t_i, y_i)
  State slopeOld_;       // at the start of the last step
  MidpointInterpolant<State> interpolant_;
  int rowsKept_ = 0;               // rows of the last step that the interpolant has
  bool stateWasReplaced_ = false;  // since the last step
};

template <OdeType Ode>
Odex<Ode>::Odex(const Ode& ode, double t0, const State& y0, double tEnd, const IntegratorOptions& options)
    : Base(ode, t0, y0, tEnd, options, rules, rowForTolerance(options.relativeTolerance, rules.rows - 1)),
      interpolant_(y0) {
  for (State* state : {&older_, &newer_, &slopeInside_, &slopeOld_}) *state = y0;
}

template <OdeType Ode>
double Odex<Ode>::computeRow(int row) {
  // every other row has an odd substep in the middle and serves dense output
  const int keptRow = row % 2 == 1 ? (row + 1) / 2 : 0;
  const int n = rules.substeps[row];
  if (!midpointRule(n, t_, h_, y_, slope(), keptRow, row <= 2)) return Base::infinity;
  const State& lastSlope = keptRow > 0 ? interpolant_.slopes(keptRow)[n - 1] : slopeInside_;
  tableau_[row] = 0.5 * (older_ + newer_ + h_ / n * lastSlope);
  if (row == 1) return 0.0;

  extrapolate(tableau_, rules.substeps, 1, row, rules.power);
  for (Eigen::Index i = 0; i < y_.size(); ++i) scale_[i] = weights_.scale(y_[i], tableau_[1][i]);
  return Base::errorOfRow();
}

/// Equation (1); false if (3) holds. Leaves y_{n-1}, y_n in older_, newer_ and the slopes in row `keptRow` of the
/// interpolant, or the last one in slopeInside_ if that is zero.
template <OdeType Ode>
bool Odex<Ode>::midpointRule(int n, double t, double H, const State& y, const State& f, int keptRow,
                             bool checkStability) {
  const double h = H / n;
  older_ = y;
  newer_ = y + h * f;
  for (int i = 1; i <= n; ++i) {
    State& slopeHere = keptRow > 0 ? interpolant_.slopes(keptRow)[i - 1] : slopeInside_;
    evaluate(t + i * h, newer_, slopeHere);
    if (i == 1 && checkStability && slopeJumps(h, f, slopeHere)) return false;
    if (2 * i == n && keptRow > 0) interpolant_.middle(keptRow) = newer_;
    if (i == n) break;
    older_ += 2.0 * h * slopeHere;
    older_.swap(newer_);
  }
  return true;
}

/// Equation (3), in the scale of the last row before.
template <OdeType Ode>
bool Odex<Ode>::slopeJumps(double h, const State& f0, const State& f1) const {
  const double size = f0.cwiseQuotient(scale_).squaredNorm();
  const double change = (f1 - f0).cwiseQuotient(scale_).squaredNorm();
  return change > 4.0 * std::max({size, 1e-2 / (h * h), std::numeric_limits<double>::epsilon()});
}

template <OdeType Ode>
void Odex<Ode>::keepStep() {
  slopeOld_ = slope();
  rowsKept_ = (control_.row() + 1) / 2;
  stateWasReplaced_ = false;
}

template <OdeType Ode>
void Odex<Ode>::buildInterpolant() {
  // three rows give order 5; what the last row changed in the middle is about the error left elsewhere
  constexpr int leastRows = 3;
  constexpr double smallChange = 0.2;
  const double H = t_ - tOld_;
  const State& yEnd = tableau_[1];
  if (stateWasReplaced_) evaluate(t_, yEnd, slopeInside_);
  const State& slopeEnd = stateWasReplaced_ ? slopeInside_ : slope();
  for (;; ++rowsKept_) {
    interpolant_.build(rowsKept_, H, yOld_, slopeOld_, yEnd, slopeEnd);
    if (rowsKept_ == interpolant_.mostRows) break;
    const double change = interpolant_.lastChange().cwiseQuotient(scale_).norm();
    if (rowsKept_ >= leastRows && change <= smallChange * std::sqrt(static_cast<double>(y_.size()))) break;
    midpointRule(interpolant_.substeps[rowsKept_ + 1], tOld_, H, yOld_, slopeOld_, rowsKept_ + 1, false);
  }
}

template <OdeType Ode>
void Odex<Ode>::replaceState(const State& y) {
  Base::replaceState(y);
  stateWasReplaced_ = true;
}

extern template class Odex<OdeSystem>;

}  // namespace polhode
