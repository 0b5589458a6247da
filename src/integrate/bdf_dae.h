#pragma once

#include "integrate/sundials_stepper.h"
#include "system/dae.h"

namespace polhode {

/// Backward differentiation formulas of variable order (1 to 5) and step for F(t, y, y') = 0, by SUNDIALS
/// IDA, the successor of DASSL and DASPK:
///
///     F(t_n, y_n, h_n^-1 sum_{i=0}^{k} alpha_{n,i} y_{n-i}) = 0,
///
/// solved by a modified Newton method with dense Jacobians by differences.
///
/// The error test and the convergence test of Newton's method use the norm
///
///     rms_i( h^(k_i - 1) e_i / (rtol |y_i| + atol) ),    k_i = DaeSystem::componentIndex(),  h at most 1:
///
/// corrections of a component of index k carry round-off and Newton's own tolerance multiplied by h^(1-k),
/// and would never pass an unscaled test (Hairer & Wanner II, section VII.3, as in RADAU5). The error test
/// leaves out algebraic components when the index is 2 or 3. Algebraic components of the initial value are
/// computed (DaeSystem::complete); what the caller gave there is ignored.
///
/// What to expect, measured with rtol = atol = 1e-3, 3e-4, ..., 1e-13 on Lang's examples A (heavy top, to t =
/// 5) and B (tumbling racket, to t = 0.4) in quaternions and in directors. The error is the largest of R in A
/// at t = 1 over ten neighbouring tolerances and both parametrisations:
///
///     formulation   works for              at 1e-6   at 1e-8   at 1e-10   violates
///     index-1       tol >= 3e-12           2e-3      4e-6      1e-7       g and g', growing
///     index-2       all of them            2e-4      4e-6      7e-8       g, growing
///     ggl           all of them            9e-4      2e-5      3e-7       nothing
///     index-3       1e-5 >= tol >= 3e-12   9e-2      2e-3      9e-5       g'
///
/// Index 3 is delicate. The velocity is a component of index 2: its error is controlled only as h times
/// itself, every change of step or order disturbs it, and the multipliers are right to a few digits at best.
/// With tolerances of 1e-4 and above the result is wrong (energy off by a quarter) or the error test fails.
/// Without the powers of h above, index 3 takes a million steps at 1e-6 and fails at 1e-7, index-2 and ggl
/// fail at 1e-8. Prefer ggl, or the null-space form with any integrator.
///
/// References: Brenan, Campbell & Petzold 1996, Numerical Solution of Initial-Value Problems in
/// Differential-Algebraic Equations, chapters 3 and 5; Hindmarsh et al. 2005, ACM TOMS 31, 363-396.
class BdfDae : public SundialsStepper {
 public:
  /// The system must outlive the stepper. Throws InputError if a tolerance is negative.
  BdfDae(const DaeSystem& dae, double t0, const VectorX& y0, double tEnd, const IntegratorOptions& options);
};

}  // namespace polhode
