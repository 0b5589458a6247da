#include "analysis/formulations/absolute_engine.h"

#include "math/largest.h"
#include "system/index0_ode.h"

namespace polhode {

AbsoluteEngine::AbsoluteEngine(std::shared_ptr<const Mechanism> mechanism, const SimulationSettings& settings)
    : ClassicalMechanismEngine(mechanism, settings),
      system_(makeMechanismSystem(mechanism, settings.coordinates)),
      selected_(std::make_shared<SelectedConstraints>(system_, redundancy().rows())) {}

VectorX AbsoluteEngine::stateOf(double t, const MechanismMotion& bodies) const {
  const VectorX q = system_->position(bodies);
  return stateAt(t, q, system_->velocity(q, bodies));
}

MechanismMotion AbsoluteEngine::motion(double, const VectorX& y) const {
  const int n = system_->coordinates();
  return system_->motion(y.head(n), y.segment(n, n));
}

double AbsoluteEngine::chartViolation(const VectorX& y) const {
  VectorX g(system_->constraints());
  system_->constraint(y.head(system_->coordinates()), g);
  return largestSizeOrNaN(g.tail(system_->constraints() - mechanism().rows()));
}

Impact AbsoluteEngine::impact() const {
  const auto constraints = std::make_shared<const Index0Ode>(selected_);
  return [constraints](double t, VectorX& y) {
    VectorX qv = y.head(constraints->size());
    constraints->project(t, qv);
    y.head(constraints->size()) = qv;
  };
}

void AbsoluteEngine::leaveOut(const std::vector<int>& rows, double t, VectorX& y) {
  selected_->leaveOut(rows);
  const int n = system_->coordinates();
  VectorX qv = y.head(2 * n);
  Index0Ode(selected_).project(t, qv);
  y = stateAt(t, qv.head(n), qv.tail(n));
}

}  // namespace polhode
