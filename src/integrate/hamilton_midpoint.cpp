#include "integrate/hamilton_midpoint.h"

#include "integrate/fitting.h"

#include <Eigen/Cholesky>

namespace polhode {

HamiltonMidpoint::HamiltonMidpoint(const SmoothSystem& system, double t0, const VectorX& state, double tEnd, double h)
    : LivensMidpoint("hamilton-midpoint", system, t0, state, tEnd, h) {
  requireFit("hamilton-midpoint", system, q());
}

void HamiltonMidpoint::finish(const VectorX& x) {
  LivensMidpoint::finish(x);
  MatrixX M(n_, n_);
  system_.mass(q1_, M);
  v1_ = M.llt().solve(p1_);
}

}  // namespace polhode
