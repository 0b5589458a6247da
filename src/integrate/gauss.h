#pragma once

#include "integrate/gauss_coefficients.h"
#include "integrate/gauss_newton.h"
#include "integrate/one_step.h"
#include "integrate/step_breaks.h"
#include "math/lanes.h"

#include <algorithm>
#include <array>
#include <memory>
#include <optional>
#include <utility>

/// Gauss collocation with s stages, order 2s, 2 <= s <= 8: `gauss-4` to `gauss-16`. The step from (t, y) solves
///
///     L_i = h b_i f(t + c_i h, Y_i),   Y_i = y + sum_j m_ij L_j,   m_ij = a_ij/b_j,    y1 = y + sum_i L_i              (1)
///
/// and every quadratic invariant of f is exact: with m_ij + m_ji = 1 in the rounded numbers too (gauss_coefficients.h),
/// stages iterated until only roundings change them, and y summed with what the additions lost (Kahan), what is left is a
/// random walk of roundings. Linear invariants are exact, the method is symmetric and, for Hamiltonian f, symplectic. It is
/// A-stable, but does not damp what is stiff: radau5 does.
///
/// The stages begin on the polynomial of the last step's slopes, continued. They are iterated by (1) as it stands where that
/// converges well, otherwise by simplified Newton iterations (gauss_newton.h).
///
/// With a fixed step all steps are that long but for the last one. Otherwise they are chosen by the last Legendre coefficient
/// of the slopes, est = |sum_i P_{s-1}(x_i) L_i| = O(h^s). The error of the step is O(h^(2s+1)), about the square of that where the
/// coefficients fall as those of smooth motion do, so est is held against the root of the tolerance. A step that would
/// grow by little stays as it is; what is conserved does not depend on the steps.
///
/// Between the ends the motion is the collocation polynomial, order s (the error of the interior is about est).
///
/// Stages lie side by side: component k of all stages is a column, W of them at a time go through the products with m, and
/// through f where the equations have a form for lanes (math/lanes.h). All W give the same bits.
///
/// Reference: Hairer & Wanner II, section IV.5; Hairer, Lubich & Wanner, Geometric Numerical Integration, IV.2 and VIII.5;
/// Hairer, McLachlan & Razakarivony, BIT 48 (2008), 231-243; Antonana, Makazaga & Murua, Numerical Algorithms 76 (2017).
namespace polhode {

/// Equations that take several instants at once.
template <class Ode, int W>
concept OdeInLanes = requires(const Ode& ode, const Lanes<W>& t, const Vector<Lanes<W>, Ode::Size>& y,
                              Vector<Lanes<W>, Ode::Size>& dydt) {
  ode.derivative(t, y, dydt);
};

namespace gauss {

inline constexpr int mostSweeps = 60;
inline constexpr double roundings = 8.0 * std::numeric_limits<double>::epsilon();  // of the stages: changes by so much
inline constexpr double coarseRoundings = 1e-10;  // and these, where three sweeps in turn do not make them smaller
inline constexpr double liveliest = 0.4;  // rate of fixed-point iteration up to which a chosen step is worth its sweeps
inline constexpr double keptGrowth = 1.2;       // a chosen step that would grow by less stays
inline constexpr double leastReplaced = 1e-3;   // a state replaced by one that is farther off begins anew
inline constexpr double toleranceShare = 0.15;  // of its root

[[noreturn]] void failToConverge(int stages, double time, double h);
std::string stiffnessWarning(int stages, double since);

}  // namespace gauss

/// `Padded` is the number of stages that there is room for. Nothing is allocated in a step that is not stiff.
template <OdeType Ode, int Padded = GaussCoefficients::most, int W = std::min(Padded, lanesOfRegister)>
class Gauss : public OneStepCode<Ode> {
  using Base = OneStepCode<Ode>;

 public:
  using typename Base::State;

  /// The equation must outlive the integrator.
  Gauss(const Ode& ode, double t0, const State& y0, double tEnd, const IntegratorOptions& options, int stages);

  /// One accepted step; none at the end time. Throws SimulationError, with the state as it was, if the stages do not
  /// converge at a fixed step, the step size underflows or the steps run out.
  void step();

  /// The collocation polynomial of the last step; before the first step the initial value.
  void interpolate(double t, State& y) const;

  /// Goes on from y. A small change (a projection) leaves the starting values of the stages good.
  void replaceState(const State& y);

  /// A change of the size of roundings, with which the next step begins.
  void correct(const State& change) { lost_ += change; }

  std::string warning() const { return stiffSince_ ? gauss::stiffnessWarning(stages_, *stiffSince_) : ""; }

  void persist(Archive& archive);

 private:
  static constexpr int Size = Ode::Size;
  using Stages = Eigen::Matrix<double, Padded, Size>;
  using Base::evaluate, Base::h_, Base::hMax_, Base::lastStep_, Base::t_, Base::tEnd_, Base::tOld_, Base::weights_,
      Base::work_, Base::y_;

  static constexpr double worthNewton = OdeInLanes<Ode, W> ? 30.0 : 3.0;  // so many times as long a step

  enum class Beginning { continued, constant };
  bool solveStages(Beginning beginning);
  bool iterate();
  double squaredSizeOfStages() const;
  void predict(Beginning beginning);
  void march();
  bool prepareNewton();
  double sweep();
  void evaluateStages();
  void accept(double squaredError);

  /// Adds to a sum; returns exactly what its rounding took away.
  static double add(double number, double& sum) {
    const double before = sum;
    sum = before + number;
    const double added = sum - before;
    return (before - (sum - added)) + (number - added);
  }
  double squaredError() const;

  /// Components that the iteration looks at: not the angle of Ode::angle, the last component, on which no other depends.
  Eigen::Index lookedAt() const {
    if constexpr (requires { Ode::angle; })
      return Ode::angle;
    else
      return y_.size();
  }

  /// An angle weighs as one turn does, however many there were.
  double scale(Eigen::Index k) const {
    if constexpr (requires { Ode::angle; })
      if (k == Ode::angle) return weights_.scale(1.0);
    return weights_.scale(y_[k]);
  }

  const GaussCoefficients& coefficients_;
  int stages_;
  alignas(64) Eigen::Matrix<double, Padded, Padded> m_;
  alignas(64) Eigen::Matrix<double, Padded, 1> c_, hb_, isStage_;  // isStage_: 1, or 0 beyond the last
  alignas(64) Stages L_, fresh_, kept_;  // of the present step, after the next sweep, and of the last accepted step
  State lost_, yOld_, inverseScale_;     // what additions to y lost; where the last step began; 1/(1 + |y|)
  State probe_, slope_;
  GaussCoefficients::Weights lastCoefficient_;
  GaussCoefficients::Square continuation_;
  double continuedBy_ = 0.0;  // the ratio of steps that continuation_ is for

  double fixedStep_;
  StepGrid grid_;
  StepController controller_;
  bool hasPolynomial_ = false;
  double lastLength_ = 0.0;  // of the last accepted step

  double squaredRate_ = 0.0;  // of convergence in the last attempt,
  double newtonRate_ = 1.0;   // and in the last step by Newton's method
  std::unique_ptr<GaussNewton> newton_;
  bool usesNewton_ = false, jacobianIsFresh_ = false;
  GaussNewton::Stages changes_;
  std::optional<double> stiffSince_;
};

template <OdeType Ode, int Padded, int W>
Gauss<Ode, Padded, W>::Gauss(const Ode& ode, double t0, const State& y0, double tEnd, const IntegratorOptions& options,
                             int stages)
    : Base(ode, t0, y0, tEnd, options),
      coefficients_(GaussCoefficients::of(stages)),
      stages_(stages),
      m_(coefficients_.m().template topLeftCorner<Padded, Padded>()),
      c_(coefficients_.c().template head<Padded>()),
      isStage_(Eigen::Matrix<double, Padded, 1>::Zero()),
      L_(Stages::Zero(Padded, y0.size())),
      fresh_(L_),
      kept_(L_),
      lost_(State::Zero(y0.size())),
      yOld_(y0),
      inverseScale_(y0),
      probe_(y0),
      slope_(y0),
      lastCoefficient_(coefficients_.lastCoefficient()),
      fixedStep_(options.fixedStep),
      grid_(fixedStep_ > 0.0 ? fixedStep_ : 1.0, tEnd),
      controller_({.exponent = 1.0 / stages, .beta = 0.0, .least = 0.2, .most = 4.0}) {
  grid_.beginAt(t0);
  isStage_.head(stages).setOnes();
  weights_.relative = gauss::toleranceShare * std::sqrt(options.relativeTolerance);
  weights_.absolute = weights_.relative * (options.absoluteTolerance / options.relativeTolerance);
  if (fixedStep_ > 0.0) return;
  h_ = options.initialStep;
  if (h_ > 0.0) return;
  h_ = std::min(1e-6, hMax_);
  this->isDefined([&] {
    evaluate(t_, y_, slope_);
    ++work_.rhsEvaluations;
    State work = y0, second = y0;
    h_ = firstStep(ode, t_, y_, slope_, weights_, stages, hMax_, work, second);
  });
}

template <OdeType Ode, int Padded, int W>
void Gauss<Ode, Padded, W>::step() {
  if (t_ == tEnd_) return;
  inverseScale_ = (1.0 + y_.array().abs()).inverse();
  jacobianIsFresh_ = false;
  for (;;) {
    if (fixedStep_ > 0.0) {
      const StepGrid::Step planned = grid_.from(t_);
      h_ = planned.length;
      lastStep_ = planned.end == tEnd_;
      this->requireProgress();
      bool solved = solveStages(Beginning::continued);
      if (!solved && !usesNewton_) {
        usesNewton_ = true;
        solved = solveStages(Beginning::continued);
      }
      if (!solved && !(solved = solveStages(Beginning::constant))) {
        this->rethrowFailure();
        gauss::failToConverge(stages_, t_, h_);
      }
      accept(0.0);
      t_ = planned.end;
      grid_.take(planned);
      return;
    }
    this->requireProgress();
    this->aimAtEnd();
    if (!solveStages(Beginning::continued)) {
      ++work_.rejected;
      h_ *= 0.4;
      continue;
    }
    const double error = squaredError();
    if (error <= 1.0) return accept(error);
    ++work_.rejected;
    h_ = controller_.reject(h_, std::isfinite(error) ? error : 1e20);
  }
}

template <OdeType Ode, int Padded, int W>
bool Gauss<Ode, Padded, W>::solveStages(Beginning beginning) {
  if (usesNewton_ && newton_ && newton_->fixedPointRate(h_) < 0.5 * gauss::liveliest) usesNewton_ = false;
  hb_ = h_ * coefficients_.b().template head<Padded>();
  bool converged = false;
  this->isDefined([&] {
    predict(beginning);
    converged = (!usesNewton_ || prepareNewton()) && iterate();
  });
  return converged;
}

/// Until only roundings change the stages: until changes of their size fall no longer at the rate at which they fell. Changes,
/// sizes and rates are squares.
template <OdeType Ode, int Padded, int W>
bool Gauss<Ode, Padded, W>::iterate() {
  const double roundings = square(gauss::roundings) * squaredSizeOfStages();
  double last = std::numeric_limits<double>::infinity(), least = last;
  squaredRate_ = 0.0;
  for (int i = 0, idle = 0; i < gauss::mostSweeps; ++i) {
    const double change = sweep();
    if (!std::isfinite(change)) return false;
    if (change == 0.0 || (change <= roundings && change > std::min(1.0, 100.0 * squaredRate_) * last)) return true;
    idle = change < least ? 0 : idle + 1;
    if (idle == 3) return change < square(gauss::coarseRoundings);
    least = std::min(least, change);
    if (i > 0 && (squaredRate_ == 0.0 || change > 1e4 * roundings)) squaredRate_ = change / last;
    last = change;
  }
  return false;
}

/// The mean square of L, relative to 1 + |y|.
template <OdeType Ode, int Padded, int W>
double Gauss<Ode, Padded, W>::squaredSizeOfStages() const {
  double sum = 0.0;
  for (int i = 0; i < stages_; ++i)
    for (Eigen::Index k = 0; k < lookedAt(); ++k) sum += square(L_(i, k) * inverseScale_[k]);
  return sum / static_cast<double>(stages_ * lookedAt());
}

/// The slopes of the last step, continued over this one. Where there are none, those along steps of Runge's fourth-order rule
/// from stage to stage, or that at the beginning alone.
template <OdeType Ode, int Padded, int W>
void Gauss<Ode, Padded, W>::predict(Beginning beginning) {
  if (beginning == Beginning::constant) {
    evaluate(t_, y_, slope_);
    for (Eigen::Index k = 0; k < y_.size(); ++k) L_.col(k) = slope_[k] * hb_;
    return;
  }
  if (!hasPolynomial_) return march();
  if (continuedBy_ != h_ / lastLength_) {
    continuedBy_ = h_ / lastLength_;
    continuation_ = coefficients_.continuation(continuedBy_);
  }
  for (Eigen::Index k = 0; k < y_.size(); ++k)
    for (int i = 0; i < Padded; i += W) {
      Lanes<W> sum = 0.0;
      for (int j = 0; j < Padded; ++j)
        sum = multiplyAdd(Lanes<W>::from(&continuation_(i, j)), Lanes<W>(kept_(j, k)), sum);
      sum.to(&L_(i, k));
    }
}

template <OdeType Ode, int Padded, int W>
void Gauss<Ode, Padded, W>::march() {
  State at = y_, sum = y_;
  double from = 0.0;
  evaluate(t_, at, slope_);
  for (int i = 0; i < Padded; ++i) {
    const double h = h_ * (c_[i] - from), t = t_ + h_ * from;
    from = c_[i];
    if (i < stages_) {
      sum = slope_;
      for (const double share : {0.5, 0.5, 1.0}) {
        probe_ = at + share * h * slope_;
        evaluate(t + share * h, probe_, slope_);
        sum += (share < 1.0 ? 2.0 : 1.0) * slope_;
      }
      at += h / 6.0 * sum;
      evaluate(t_ + h_ * from, at, slope_);
    }
    L_.row(i) = hb_[i] * slope_.transpose();
  }
}

/// The Jacobian is kept while Newton's method converges fast with it.
template <OdeType Ode, int Padded, int W>
bool Gauss<Ode, Padded, W>::prepareNewton() {
  constexpr double slow = 0.1;
  if (!newton_) newton_ = std::make_unique<GaussNewton>(coefficients_, y_.size());
  if (!stiffSince_) stiffSince_ = t_;
  if (!jacobianIsFresh_ && !(newtonRate_ < slow)) {
    const bool finite = newton_->formJacobian(
        [&](const VectorX& y, VectorX& f) {
          probe_ = y;
          evaluate(t_, probe_, slope_);
          f = slope_;
        },
        y_);
    if (!finite) return false;
    ++work_.jacobians;
    jacobianIsFresh_ = true;
  }
  if (newton_->factorisedFor() == h_) return true;
  ++work_.factorisations;
  return newton_->factorise(h_);
}

/// One iteration for all stages; returns the mean square of what it changes, relative to 1 + |y|.
template <OdeType Ode, int Padded, int W>
double Gauss<Ode, Padded, W>::sweep() {
  evaluateStages();
  if (usesNewton_) {
    ++work_.newtonIterations;
    changes_.setZero(GaussCoefficients::most, y_.size());
    changes_.topRows(stages_) = (fresh_ - L_).topRows(stages_);
    newton_->correct(changes_);
    fresh_.topRows(stages_) = (L_ + changes_.template topRows<Padded>()).topRows(stages_);
  }
  alignas(64) double squares[Padded];
  for (int i = 0; i < Padded; i += W) {
    Lanes<W> sum = 0.0;
    for (Eigen::Index k = 0; k < y_.size(); ++k) {
      const Lanes<W> fresh = Lanes<W>::from(&fresh_(i, k));
      const Lanes<W> change = (fresh - Lanes<W>::from(&L_(i, k))) * Lanes<W>(inverseScale_[k]);
      if (k < lookedAt()) sum = multiplyAdd(change, change, sum);
      fresh.to(&L_(i, k));
    }
    (sum * Lanes<W>::from(&isStage_[i])).to(squares + i);
  }
  for (int half = Padded / 2; half > 0; half /= 2)
    for (int i = 0; i < half; ++i) squares[i] += squares[i + half];
  return squares[0] / static_cast<double>(stages_ * lookedAt());
}

/// h b_i f(t + c_i h, y + sum_j m_ij L_j); rows beyond the last stage are like it, or zero.
template <OdeType Ode, int Padded, int W>
void Gauss<Ode, Padded, W>::evaluateStages() {
  constexpr int Parts = Padded / W;
  const auto stageStates = [&](Eigen::Index k) {
    std::array<Lanes<W>, Parts> sums, others;  // of every second stage, so that one need not wait for the other
    sums.fill(Lanes<W>(lost_[k]));
    others.fill(Lanes<W>(0.0));
    for (int j = 0; j < Padded; ++j)
      for (int part = 0; part < Parts; ++part) {
        Lanes<W>& sum = j % 2 == 0 ? sums[part] : others[part];
        sum = multiplyAdd(Lanes<W>::from(&m_(part * W, j)), Lanes<W>(L_(j, k)), sum);
      }
    for (int part = 0; part < Parts; ++part) sums[part] = Lanes<W>(y_[k]) + (sums[part] + others[part]);
    return sums;
  };
  if constexpr (OdeInLanes<Ode, W>) {
    std::array<Vector<Lanes<W>, Size>, Parts> Y;
    for (int k = 0; k < Size; ++k) {
      const auto states = stageStates(k);
      for (int part = 0; part < Parts; ++part) Y[part][k] = states[part];
    }
    work_.rhsEvaluations += stages_;
    for (int part = 0; part < Parts; ++part) {
      Vector<Lanes<W>, Size> f;
      this->ode_->derivative(Lanes<W>(t_) + Lanes<W>(h_) * Lanes<W>::from(&c_[part * W]), Y[part], f);
      for (int k = 0; k < Size; ++k) (Lanes<W>::from(&hb_[part * W]) * f[k]).to(&fresh_(part * W, k));
    }
  } else {
    for (Eigen::Index k = 0; k < y_.size(); ++k) {
      const auto states = stageStates(k);
      for (int part = 0; part < Parts; ++part) states[part].to(&fresh_(part * W, k));
    }
    for (int i = 0; i < stages_; ++i) {
      probe_ = fresh_.row(i).transpose();
      evaluate(t_ + h_ * c_[i], probe_, slope_);
      fresh_.row(i) = hb_[i] * slope_.transpose();
    }
    fresh_.bottomRows(Padded - stages_).setZero();
  }
}

/// Of est in the header: the mean square over the components.
template <OdeType Ode, int Padded, int W>
double Gauss<Ode, Padded, W>::squaredError() const {
  double sum = 0.0;
  for (Eigen::Index k = 0; k < y_.size(); ++k) {
    double last = 0.0;
    for (int j = 0; j < stages_; ++j) last += lastCoefficient_[j] * L_(j, k);
    sum += square(last / scale(k));
  }
  return sum / static_cast<double>(y_.size());
}

template <OdeType Ode, int Padded, int W>
void Gauss<Ode, Padded, W>::accept(double squaredError) {
  yOld_ = y_;
  for (Eigen::Index k = 0; k < y_.size(); ++k) {
    // the increment, and what additions to it took away
    double increment = 0.0, rest = lost_[k];
    for (int j = 0; j < stages_; ++j) rest += add(L_(j, k), increment);
    increment += rest;
    lost_[k] = add(increment, y_[k]);
  }
  std::swap(kept_, L_);
  hasPolynomial_ = true;
  const double h = lastLength_ = h_;
  const double rate = std::sqrt(squaredRate_);
  if (usesNewton_) newtonRate_ = rate;
  this->moveTo(h);
  if (fixedStep_ > 0.0) return;

  double next = std::min(controller_.accept(h, squaredError), hMax_);
  if (!usesNewton_ && rate > gauss::liveliest) {
    const double lively = h * gauss::liveliest / rate;
    usesNewton_ = next > worthNewton * lively;
    newtonRate_ = 1.0;
    if (!usesNewton_) next = std::min(next, lively);
  }
  h_ = next >= h && next < gauss::keptGrowth * h ? std::min(h, hMax_) : next;
}

template <OdeType Ode, int Padded, int W>
void Gauss<Ode, Padded, W>::interpolate(double t, State& y) const {
  y = yOld_;
  if (!hasPolynomial_ && lastLength_ == 0.0) return;
  const GaussCoefficients::Weights weights = coefficients_.polynomialAt((t - tOld_) / (t_ - tOld_));
  for (Eigen::Index k = 0; k < y.size(); ++k)
    for (int j = 0; j < stages_; ++j) y[k] += weights[j] * kept_(j, k);
}

template <OdeType Ode, int Padded, int W>
void Gauss<Ode, Padded, W>::replaceState(const State& y) {
  const double farthest = ((y - y_).array().abs() / (1.0 + y_.array().abs())).maxCoeff();
  if (!(farthest < gauss::leastReplaced)) {
    hasPolynomial_ = false;
    newtonRate_ = 1.0;
  }
  y_ = y;
  lost_.setZero();
}

template <OdeType Ode, int Padded, int W>
void Gauss<Ode, Padded, W>::persist(Archive& archive) {
  archive.section("gauss");
  Base::persistBase(archive);
  grid_.persist(archive);
  controller_.persist(archive);
  archive(kept_, lost_, yOld_, hasPolynomial_, lastLength_, usesNewton_, newtonRate_, stiffSince_);
  bool hasNewton = newton_ != nullptr;
  archive(hasNewton);
  if (hasNewton && !newton_) newton_ = std::make_unique<GaussNewton>(coefficients_, y_.size());
  if (hasNewton) newton_->persist(archive);
}

extern template class Gauss<OdeSystem>;

}  // namespace polhode
