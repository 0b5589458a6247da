#pragma once

#include "integrate/constrained_stepper.h"

namespace polhode {

/// MPL: the midpoint rule for Livens' equations, with the constraint at the end of the step,
///
///     q1 - q0 = h vm,   vm = (v0 + v1)/2,   qm = (q0 + q1)/2
///     p1 - p0 = h d_q L(qm, vm) - h G(qm)^T lambda
///     (p0 + p1)/2 = M(qm) vm
///     g(q1) = 0                                                      Kinon & Betsch 2024, (132)
///
/// Any mass matrix. Symmetric, order 2. Keeps g(q) = 0 and momentum maps of linear symmetries exactly when
/// the constraints are at most quadratic; energy oscillates. Solved for (q1 - q0, h lambda).
class LivensMidpoint : public ConstrainedStepper {
 public:
  LivensMidpoint(const SmoothSystem& system, double t0, const VectorX& state, double tEnd, double h);

 protected:
  LivensMidpoint(std::string name, const SmoothSystem& system, double t0, const VectorX& state, double tEnd, double h);
  void finish(const VectorX& x) override;

 private:
  void equations(const VectorX& x, VectorX& r, MatrixX& J) override;

  VectorX middle_, velocity_, gradient_, impulse_;
  MatrixX M_, B_, K_, hessian_, G_;
};

}  // namespace polhode
