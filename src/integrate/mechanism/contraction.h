#pragma once

#include "integrate/step_report.h"

#include <algorithm>

namespace polhode {

/// How fast Newton's method contracts, learned over many similar steps, so that a step needs no iteration of its own to
/// find out that there is nothing left to do. A correction `now` after one of `before` shows the rate now/before, which
/// grows with `before` where the convergence is quadratic and does not where it is linear.
class Contraction {
 public:
  /// Whether the next correction would be below `target`. `before` is 0 in the first iteration of a step. Corrections below
  /// `roundings` may be nothing else.
  bool suffices(double now, double before, double target, double roundings = 0.0) {
    if (now == 0.0) return true;  // at rest, where nothing acts
    if (before > 0.0) {
      // how large roundings are says little of the rate
      if (now > roundings || trusted_ < 0) learn(std::max(now, target) / before, before);
      return now <= target || 2.0 * now * now / before <= target;
    }
    if (--trusted_ < 0) return false;
    return now <= target || 4.0 * now * rate_ * std::max(1.0, now / seenAt_) <= target;
  }

  /// Whether the next step is one to learn from: it takes a second iteration in any case, and shows more when the first one
  /// corrects as much as roundings do not hide.
  bool learns() const { return trusted_ <= 0; }

  /// Whether the matrix of an iteration serves the next one as well: it has hardly changed when the correction `now` was
  /// small (in radians, or relative to the size of the mechanism), and the last one shows that it still contracts.
  static bool matrixServes(double now, double before) {
    constexpr double small = 1e-3, contracts = 1e-2;
    return now < small && (before == 0.0 || now < contracts * before);
  }

  /// Forgets, after a step that was unlike the others.
  void forget() { trusted_ = 0; }

  /// What it has learned (archive.h).
  template <class Archive>
  void persist(Archive& archive) {
    archive(rate_, seenAt_, trusted_);
  }

 private:
  void learn(double rate, double at) {
    rate_ = trusted_ < 0 ? rate : std::max(rate, 0.5 * rate_);
    seenAt_ = at;
    trusted_ = 32;
  }

  double rate_ = 1.0, seenAt_ = 1.0;
  int trusted_ = 0;  // for how many steps more
};

/// Newton's method for a step h from what the last steps predict; where that does not converge, the past may have misled,
/// and it is begun anew without it. `known` is how many steps of the past there are; `predict(h)` begins, `iterate(h)`
/// solves.
template <class Predict, class Iterate>
StepReport iterateFromPast(double h, int& known, Contraction& contraction, const Predict& predict,
                           const Iterate& iterate) {
  predict(h);
  StepReport report = iterate(h);
  if (report.converged) return report;
  contraction.forget();
  if (known == 0) return report;
  known = 0;
  predict(h);
  const StepReport misled = report;
  report = iterate(h);
  report.iterations += misled.iterations;
  report.factorisations += misled.factorisations;
  return report;
}

/// The same; where it does not converge either, a much shorter step is solved first, and made longer and longer, each from
/// the one before. `stretch(ratio)` multiplies the increments.
template <class Predict, class Iterate, class Stretch>
StepReport iterateFromPast(double h, int& known, Contraction& contraction, const Predict& predict,
                           const Iterate& iterate, const Stretch& stretch) {
  constexpr int stages = 8;
  StepReport report = iterateFromPast(h, known, contraction, predict, iterate);
  const auto attempt = [&](double length) {
    const StepReport before = report;
    report = iterate(length);
    report.iterations += before.iterations;
    report.factorisations += before.factorisations;
    return report.converged;
  };
  if (report.converged) return report;
  predict(h / stages);
  for (int stage = 1; attempt(stage * h / stages) && stage < stages; ++stage) stretch((stage + 1.0) / stage);
  contraction.forget();
  return report;
}

}  // namespace polhode
