#pragma once

#include "integrate/step_report.h"
#include "polhode/math/types.h"

#include <algorithm>
#include <cmath>
#include <limits>

/// Newton's method for a few unknowns, everything of fixed size: no allocation.
///
/// Stops relative to the size of what is solved: when the correction that would come next is below round-off.
/// The next one is foreseen from the last two, e_next = e (e/e_before)^2, as Newton's method converges
/// quadratically (e_next = e^2 after the first); so no iteration is spent on finding out that there is
/// nothing left to do.
namespace polhode {

/// Solves K z = f. Three unknowns by Cramer's rule, more by LU with pivots.
template <int N>
Vector<double, N> solveSmall(const Eigen::Matrix<double, N, N>& K, const Vector<double, N>& f) {
  if constexpr (N == 3) {
    const Vector3 a = K.col(0), b = K.col(1), c = K.col(2);
    const Vector3 bc = b.cross(c), af = a.cross(f);
    return Vector3(f.dot(bc), c.dot(af), -b.dot(af)) / a.dot(bc);
  } else {
    return K.partialPivLu().solve(f);
  }
}

/// The size of a correction relative to what is solved: the larger of what was foreseen and what is there
/// now.
inline double relativeTo(double foreseen, double present, double correction) {
  return correction / std::max({foreseen, present, std::numeric_limits<double>::min()});
}

inline constexpr int mostNewtonIterations = 20;

/// Finds z with f(z) = 0, starting from z. `linearise(z, f, K)` sets f(z) and its Jacobian K = df/dz;
/// `relativeSize(dz)` says how large a correction is compared with what is solved.
template <int N, class Linearise, class RelativeSize>
StepReport newton(Vector<double, N>& z, Linearise&& linearise, RelativeSize&& relativeSize) {
  constexpr double roundOff = 0.1 * std::numeric_limits<double>::epsilon();
  constexpr double stagnation = 1e-13;  // corrections of this size that shrink no more are round-off themselves

  Vector<double, N> f;
  Eigen::Matrix<double, N, N> K;
  StepReport report;
  double before = 0.0;
  while (report.iterations < mostNewtonIterations) {
    linearise(z, f, K);
    const Vector<double, N> correction = solveSmall<N>(K, f);
    z -= correction;
    const double now = relativeSize(correction);
    ++report.iterations;
    report.residual = now;
    if (!std::isfinite(now)) return report;

    const double ratio = before > 0.0 ? now / before : std::sqrt(now);
    const double next = now * ratio * ratio;
    if (now <= roundOff || (now < 1e-3 && next <= roundOff) || (now < stagnation && ratio > 0.5)) {
      report.converged = true;
      return report;
    }
    before = now;
  }
  return report;
}

}  // namespace polhode
