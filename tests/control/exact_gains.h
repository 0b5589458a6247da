#pragma once

#include "control/control_equation.h"

#include <cmath>

/// The control equation solved exactly, to compare the gains by splines with.
namespace polhode::test {

/// mu' = 0 at both ends.
inline ControlEquationGains exactNeumannGains(double rho0, double rho1, double step) {
  // mu = f/rho0 + a cosh(r t) + b sinh(r t) with both slopes zero; at the end f is zero, and only these two are left
  const double r = std::sqrt(rho0 / rho1), angle = r * step;
  return {std::tanh(angle / 2.0) / (rho0 * angle), 0.0};
}

/// mu(t_k) as the last step left it, mu' = 0 at the end.
inline ControlEquationGains exactMixedGains(double rho0, double rho1, double step) {
  // mu = f/rho0 + a cosh(r s) + b sinh(r s), s the time left, with slope zero at s = 0 and mu given at s = h
  const double r = std::sqrt(rho0 / rho1), angle = r * step;
  const double b = -1.0 / (rho0 * angle);  // f/rho0 = (s/h)/rho0 has this slope to undo
  const double a = (-1.0 / rho0 - b * std::sinh(angle)) / std::cosh(angle);  // so that mu(h) is what was given alone
  return {a, 1.0 / std::cosh(angle)};
}

}  // namespace polhode::test
