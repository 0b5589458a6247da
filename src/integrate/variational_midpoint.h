#pragma once

#include "integrate/constrained_stepper.h"

#include <Eigen/LU>

namespace polhode {

/// The variational integrator of the midpoint Lagrangian Ld(q0, q1) = h L(qm, vm), qm = (q0 + q1)/2,
/// vm = (q1 - q0)/h, with constraint forces at the ends of steps:
///
///     p0 = M(qm) vm - h/2 d_q L(qm, vm) + G(q0)^T mu,    g(q1) = 0       discrete Euler-Lagrange
///     p- = M(qm) vm + h/2 d_q L(qm, vm)                                  discrete Legendre transform
///     p1 = p- - G(q1)^T nu = M(q1) v1,    G(q1) v1 = 0                   projection, linear in (v1, nu)
///
/// Symplectic, symmetric after projection, order 2. Conserves g(q) = 0, G(q) v = 0 and momentum maps of
/// linear symmetries exactly; the energy error stays bounded, it does not drift. Any mass matrix that is
/// definite on the velocities the constraints allow. Solved for (q1 - q0, mu). There is no solution for a body that
/// turns by about one radian a step or more. On a quaternion body this is QUAT_VI of Betsch & Siebert 2009, appendix E.
///
/// Reference: Marsden & West 2001, sections 3.4 and 3.5; Hairer, Lubich & Wanner 2006, VII.1.4.
class VariationalMidpoint : public ConstrainedStepper {
 public:
  VariationalMidpoint(const SmoothSystem& system, double t0, const VectorX& state, double tEnd, double h);

 private:
  void equations(const VectorX& x, VectorX& r, MatrixX& J) override;
  void finish(const VectorX& x) override;
  std::string remedy() const override {
    return "take a smaller step (there is no solution when a body turns by a radian or more in one step) or "
           "livens-em";
  }
  void evaluateMiddle(const VectorX& d);

  VectorX middle_, velocity_, momentum_, slope_;  // qm, vm, M(qm) vm, d_q L + f
  MatrixX M_, B_, K_, hessian_, G_;
  MatrixX saddle_;
  VectorX saddleRight_;
  Eigen::PartialPivLU<MatrixX> saddleFactors_;
};

}  // namespace polhode
