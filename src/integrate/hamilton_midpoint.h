#pragma once

#include "integrate/livens_midpoint.h"

namespace polhode {

/// MPH: the midpoint rule for Hamilton's equations, H = p^T M(q)^-1 p / 2 + V(q), constraint at the end of
/// the step,
///
///     q1 - q0 = h M(qm)^-1 pm,   qm = (q0 + q1)/2,   pm = (p0 + p1)/2
///     p1 - p0 = -h d_q H(qm, pm) - h G(qm)^T lambda
///     g(q1) = 0                                                      Kinon & Betsch 2024, (133)
///
/// The first equation says pm = M(qm) (q1 - q0)/h, and d_q (p^T M^-1 p / 2) = -d_q T at v = M^-1 p; put into
/// the second they give the equations of `LivensMidpoint`: q and p of the two schemes are the same.
/// Velocities are not: here v1 = M(q1)^-1 p1, which needs a regular mass matrix. A singular one is refused
/// (InputError). Order 2, symmetric; quadratic momentum maps kept, energy oscillates.
class HamiltonMidpoint : public LivensMidpoint {
 public:
  HamiltonMidpoint(const SmoothSystem& system, double t0, const VectorX& state, double tEnd, double h);

 private:
  void finish(const VectorX& x) override;
};

}  // namespace polhode
