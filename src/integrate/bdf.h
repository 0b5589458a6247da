#pragma once

#include "integrate/sundials_stepper.h"
#include "system/ode.h"

namespace polhode {

/// Backward differentiation formulas of variable order and step for y' = f(t, y), by SUNDIALS CVODE:
///
///     sum_{i=0}^{k} alpha_{n,i} y_{n-i} + h_n beta_{n,0} f(t_n, y_n) = 0,    order k = 1 ... 5,
///
/// with coefficients in fixed-leading-coefficient form, a modified Newton method, dense Jacobians by
/// differences and the error test  rms_i( error_i / (rtol |y_i| + atol) ) <= 1.
///
/// Made for stiff equations. It does not conserve energy and damps fast oscillations that the tolerance does
/// not resolve. On the smooth motion of a rigid body (Lang A in quaternions, index 0, t = 60) it needs about
/// twice the evaluations of dop853 for the same error: 5e4 for 1e-5.
///
/// Projection inside the method (Eich 1993; CVodeSetProjFn): each corrected value is moved onto the invariant
/// of the system (OdeSystem::project) before the error test, so that the history stays smooth and the order
/// high. replaceState(), in contrast, begins anew with order 1 and a small step: for a projection after each
/// step use the former.
///
/// Reference: Cohen & Hindmarsh 1996, Computers in Physics 10, 138-143; Hindmarsh et al. 2005, ACM TOMS 31,
/// 363-396.
class Bdf : public SundialsStepper {
 public:
  enum class Projection { none, everyStep };

  /// The system must outlive the stepper.
  Bdf(const OdeSystem& ode, double t0, const VectorX& y0, double tEnd, const IntegratorOptions& options,
      Projection projection = Projection::none);
};

}  // namespace polhode
