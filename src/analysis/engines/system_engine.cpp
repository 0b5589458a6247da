#include "analysis/engines/system_engine.h"

#include "math/largest.h"
#include "system/cyclic_directions.h"

#include <limits>

namespace polhode {

Observation SystemEngine::observed(double t, const VectorX& y, Detail) const {
  const SmoothSystem& system = stepper_->system();
  const int n = system.coordinates(), m = system.constraints();
  Observation o;
  o.time = t;
  o.q.assign(y.begin(), y.begin() + n);
  o.v.assign(y.begin() + n, y.begin() + 2 * n);
  o.p.assign(y.begin() + 2 * n, y.end());

  const VectorX q = y.head(n), v = y.segment(n, n), p = y.tail(n);
  MatrixX mass(n, n), jacobian(m, n);
  system.mass(q, mass);
  const double kinetic = 0.5 * v.dot(mass * v);
  o.potentialEnergy = system.potential(t, q);
  o.kineticEnergy = p.dot(v) - kinetic;
  o.nodeEnergy = kinetic + o.potentialEnergy;
  o.work = stepper_->appliedWork();

  VectorX gap(m);
  system.constraint(q, gap);
  system.constraintJacobian(q, jacobian);
  o.positionViolation = q.allFinite() ? largestSizeOrNaN(gap) : std::numeric_limits<double>::quiet_NaN();
  o.velocityViolation = largestSizeOrNaN(jacobian * v);
  return o;
}

Conservation SystemEngine::conserved() const {
  Conservation conserved;
  conserved.energy = !stepper_->system().hasAppliedForce();
  const MatrixX directions = cyclicDirections(stepper_->system(), stepper_->q());
  for (const VectorX direction : directions.colwise())
    conserved.generalised.emplace_back(direction.begin(), direction.end());
  return conserved;
}

}  // namespace polhode
