#pragma once

/// The control equation of the one-step laws, Lipovac 2020, (4.28) and (4.32):
///
///     -rho1 mu'' + rho0 mu = f(t) = f_k (1 - (t - t_k)/h)      on [t_k, t_k + h]
///
/// It is linear, so that what it gives at the step's end is two numbers:
///
///     mu(t_k+1) = ofLoad * f_k + ofLast * mu(t_k)
///
/// `ofLast` is zero but for mixed boundary values. With rho1 = 0 it is no differential equation, and mu(t_k) is used.
namespace polhode {

struct ControlEquationGains {
  double ofLoad = 0.0;
  double ofLast = 0.0;
};

/// mu(t_k) = f_k / rho0, (4.28).
ControlEquationGains l2Gains(double rho0);

/// Where on the step the Neumann solution is taken. The thesis takes its end; its begin is for comparison.
enum class NeumannPlace { end, begin };

/// mu' = 0 at both ends, (4.33), (4.37), by six splines.
ControlEquationGains neumannGains(double rho0, double rho1, double step, NeumannPlace place = NeumannPlace::end);

/// The space of the mixed problem: the four splines S_2 to S_5 of the thesis, in which mu' must vanish at t_k as well, or
/// those and S_1 - S_0/2, which mends it.
enum class MixedSpace { fourFunctions, fiveFunctions };

/// mu(t_k) as the last step left it, mu' = 0 at the end, (4.34), (4.42), by splines.
ControlEquationGains mixedGains(double rho0, double rho1, double step, MixedSpace space);

/// The largest factor by which one step of (4.29) multiplies an error, for a free body and a constant target: the
/// spectral radius of (error, velocity, mu) -> the same a step later.
double amplificationFactor(const ControlEquationGains& gains, double mass, double step);

}  // namespace polhode
