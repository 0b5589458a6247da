#pragma once

#include "integrate/stepper.h"

/// The coefficients of the three-stage Radau IIA method and the parameters of its control (see radau5.h).
///
///     A^-1 = T diag(gamma, (alpha, -beta; beta, alpha)) T^-1
///
/// Computed from the Butcher matrix A in 40-digit arithmetic. The lengths of the eigenvectors matter: the
/// norm of a Newton correction depends on them.
///
/// Reference: Hairer & Wanner, Solving Ordinary Differential Equations II, 2nd ed. 1996, section IV.8.
namespace polhode::radau5 {

inline constexpr double sqrt6 = 2.4494897427831780982;
inline constexpr double c1 = (4.0 - sqrt6) / 10.0, c2 = (4.0 + sqrt6) / 10.0;

// eigenvalues of A^-1
inline constexpr double gamma = 3.637834252744495732208;
inline constexpr double alpha = 2.681082873627752133896, beta = 3.050430199247410569426;

// eigenvectors: the real one of length 1, the complex one with last component 1
inline constexpr double T[3][3] = {{0.091232394870892942792, -0.14125529502095420843, -0.030029194105147424492},
                                   {0.24171793270710701896, 0.20412935229379993200, 0.38294211275726193780},
                                   {0.96604818261509293619, 1.0, 0.0}};
inline constexpr double Tinv[3][3] = {{4.3255798900631553510, 0.33919925181580986954, 0.54177053993587487119},
                                      {-4.1787185915519047273, -0.32768282076106238708, 0.47662355450055045196},
                                      {-0.50287263494578687595, 2.5719269498556054292, -0.59603920482822492497}};

// error estimator
inline constexpr double e1 = -(13.0 + 7.0 * sqrt6) / 3.0, e2 = (-13.0 + 7.0 * sqrt6) / 3.0, e3 = -1.0 / 3.0;

// control parameters of the original code
inline constexpr double roundOff = 1e-16;
inline constexpr double defaultInitialStep = 1e-6;
inline constexpr double safety = 0.9;
inline constexpr double strongestReduction = 5.0, strongestGrowth = 1.0 / 8.0;  // bounds of h / hnew
inline constexpr double keptStepRatio = 1.2;       // 1 <= hnew/h <= this keeps h and its factorisations
inline constexpr double keptJacobianRate = 0.001;  // convergence at least this fast keeps the Jacobian
inline constexpr int mostNewtonIterations = 7;
inline constexpr int mostSingularMatrices = 5;

/// The tolerances the method works with: the error estimate has order 3 and the solution order 5, so
/// rtol = 0.1 tol^(2/3) makes the error of the solution proportional to tol.
struct Tolerances {
  double relative, absolute, newton;
};

/// Throws InputError if a tolerance cannot be met in double precision.
Tolerances transformTolerances(const IntegratorOptions& options);

// Each of these throws SimulationError with the time, the cause and the remedy.
[[noreturn]] void failSingularMatrix(double time, double step);
[[noreturn]] void failNotFinite(double time);

}  // namespace polhode::radau5
