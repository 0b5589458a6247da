#pragma once

#include "integrate/extrapolation_control.h"
#include "integrate/one_step.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace polhode {

/// Adds row `row` to a tableau that begins with row `first`: T_{row,1} is in column[row], and the last diagonal
/// is in column[first], ..., column[row - 1]. Afterwards column[first] is the extrapolated value and
/// column[first + 1] the one of one column less. Equation (1) of extrapolation_control.h.
template <class State, std::size_t Rows, std::size_t Entries>
void extrapolate(std::array<State, Rows>& column, const std::array<int, Entries>& substeps, int first, int row,
                 int power) {
  for (int l = row; l > first; --l) {
    const double ratio = static_cast<double>(substeps[row]) / substeps[l - 1];
    const double divisor = (power == 2 ? ratio * ratio : ratio) - 1.0;
    column[l - 1] = column[l] + (column[l] - column[l - 1]) / divisor;
  }
}

/// The row that is likely to meet a tolerance, from 2 to `most`: three rows for every five digits.
inline int rowForTolerance(double tolerance, int most) {
  const double digits = -std::log10(tolerance + 1e-40);
  return std::clamp(static_cast<int>(0.6 * digits + 1.5), 2, most);
}

/// What the extrapolation methods share: the tableau, the loop over attempts, dense output on request. A method derives
/// from this class and provides
///
///     prepareStep()           what the rows of a step need in common, such as a Jacobian
///     computeRow(j)           row j of the tableau; returns its error, infinity if the simple method is unstable
///     keepStep()              what dense output needs beside yOld_, just before time and state move on
///     buildInterpolant()      once in a step in which dense output is asked for
///     evaluateInterpolant(s)  the state at the fraction s of the step
///
/// An attempt that ends as unstable, or leaves the domain of the equations, counts as a rejected step. Nothing is allocated after construction.
template <class Method, OdeType Ode>
class ExtrapolationCode : public OneStepCode<Ode> {
  using Base = OneStepCode<Ode>;

 public:
  using State = typename Ode::State;

  /// One accepted step; none at the end time. Throws SimulationError if the step size underflows or the steps run
  /// out; the state then stays as it was.
  void step();

  /// The state within the last step as it was computed; before the first step the initial value. Valid until the next
  /// call of step().
  void interpolate(double t, State& y) const;

  /// Goes on from y with the same order and step size.
  void replaceState(const State& y);

 protected:
  ExtrapolationCode(const Ode& ode, double t0, const State& y0, double tEnd, const IntegratorOptions& options,
                    const ExtrapolationRules& rules, int expectedRow);

  using Base::h_, Base::hMax_, Base::lastStep_, Base::t_, Base::tEnd_, Base::tOld_, Base::weights_, Base::work_,
      Base::y_;
  static constexpr double infinity = std::numeric_limits<double>::infinity();

  void persistBase(Archive& archive) {
    Base::persistBase(archive);
    archive(control_, tableau_, scale_, yOld_, slope_, slopeIsKnown_, interpolantIsBuilt_, isFirst_);
  }

  /// f(t, y) at the present time, evaluated once.
  const State& slope();

  /// Equation (2) of extrapolation_control.h for the row just extrapolated, with scale_.
  double errorOfRow() const;

  ExtrapolationControl control_;
  std::array<State, ExtrapolationRules::mostRows + 1> tableau_;
  State scale_;  // the error that the tolerance allows in each component
  State yOld_;   // at the start of the last step

 private:
  void accept();
  void prepareDenseOutput();

  State slope_;
  bool slopeIsKnown_ = false;
  bool interpolantIsBuilt_ = false;  // for the last step
  bool isFirst_ = true;
};

template <class Method, OdeType Ode>
ExtrapolationCode<Method, Ode>::ExtrapolationCode(const Ode& ode, double t0, const State& y0, double tEnd,
                                                  const IntegratorOptions& options, const ExtrapolationRules& rules,
                                                  int expectedRow)
    : Base(ode, t0, y0, tEnd, options), control_(rules, expectedRow, hMax_), yOld_(y0), slope_(y0) {
  constexpr double defaultStep = 1e-4;
  h_ = std::min(options.initialStep > 0.0 ? options.initialStep : defaultStep, hMax_);
  tableau_.fill(y0);
  scale_ = weights_.absolute + weights_.relative * y0.array().abs();
}

template <class Method, OdeType Ode>
void ExtrapolationCode<Method, Ode>::step() {
  using Outcome = ExtrapolationControl::Outcome;
  auto& method = static_cast<Method&>(*this);

  while (t_ != tEnd_) {
    this->requireProgress();
    this->aimAtEnd();
    method.prepareStep();
    const Outcome outcome = control_.attempt(h_, isFirst_ || lastStep_, [this, &method](int row) {
      double error = infinity;
      this->isDefined([&] { error = method.computeRow(row); });
      return error;
    });
    isFirst_ = false;
    if (outcome == Outcome::accepted) return accept();

    ++work_.rejected;
    h_ = outcome == Outcome::rejected ? control_.afterRejected() : control_.afterUnstable();
  }
}

template <class Method, OdeType Ode>
void ExtrapolationCode<Method, Ode>::accept() {
  static_cast<Method&>(*this).keepStep();
  yOld_ = y_;
  y_ = tableau_[1];
  slopeIsKnown_ = false;
  interpolantIsBuilt_ = false;
  this->moveTo(h_);
  h_ = control_.afterAccepted();
}

template <class Method, OdeType Ode>
void ExtrapolationCode<Method, Ode>::interpolate(double t, State& y) const {
  if (t_ == tOld_) {
    y = y_;
    return;
  }
  if (!interpolantIsBuilt_) const_cast<ExtrapolationCode*>(this)->prepareDenseOutput();
  static_cast<const Method&>(*this).evaluateInterpolant((t - tOld_) / (t_ - tOld_), y);
}

template <class Method, OdeType Ode>
void ExtrapolationCode<Method, Ode>::prepareDenseOutput() {
  static_cast<Method&>(*this).buildInterpolant();
  interpolantIsBuilt_ = true;
}

template <class Method, OdeType Ode>
void ExtrapolationCode<Method, Ode>::replaceState(const State& y) {
  y_ = y;
  slopeIsKnown_ = false;
}

template <class Method, OdeType Ode>
const typename Ode::State& ExtrapolationCode<Method, Ode>::slope() {
  if (!slopeIsKnown_) {
    this->evaluate(t_, y_, slope_);
    slopeIsKnown_ = true;
  }
  return slope_;
}

template <class Method, OdeType Ode>
double ExtrapolationCode<Method, Ode>::errorOfRow() const {
  const double squares = (tableau_[1] - tableau_[2]).cwiseQuotient(scale_).squaredNorm();
  return std::sqrt(squares / static_cast<double>(y_.size()));
}

}  // namespace polhode
