#pragma once

#include "polhode/math/types.h"

#include <algorithm>

/// Derivatives of functions that can only be called: a force that a user has written, a whole run.
namespace polhode {

/// d f(x)/dx at zero, a vector: a central difference of eighth order with this step.
template <class Function>
VectorX centralDerivative(double step, const Function& f) {
  constexpr double eighthOrder[] = {4.0 / 5.0, -1.0 / 5.0, 4.0 / 105.0, -1.0 / 280.0};
  VectorX sum;
  for (int k = 0; k < 4; ++k) {
    const double x = step * (k + 1);
    const VectorX term = eighthOrder[k] / step * (f(x) - f(-x));
    sum = k == 0 ? term : VectorX(sum + term);
  }
  return sum;
}

/// The same with a step that is short enough for two of them to agree: where a law has a kink near by. `large` is what the result
/// counts as small against.
template <class Function>
VectorX agreedDerivative(double large, const Function& f) {
  constexpr double longest = 0.01, same = 1e-9;  // rad, or sizes of the mechanism
  constexpr int shorter = 5;                     // each an eighth
  double step = longest, apart = -1.0;
  VectorX before = centralDerivative(step, f), best = before;
  for (int k = 0; k < shorter; ++k) {
    const VectorX next = centralDerivative(step /= 8.0, f);
    const double now = (next - before).norm();
    if (now <= same * std::max(next.norm(), large)) return before;
    if (apart < 0.0 || now < apart) apart = now, best = next;
    before = next;
  }
  return best;
}

}  // namespace polhode
