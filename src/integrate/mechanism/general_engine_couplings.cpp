#include "integrate/mechanism/general_engine.h"
#include "system/joint_coupling.h"

/// The rows of gears, racks and screws in the general engine.
namespace polhode {

/// The coordinates' discrete gradients over the step, each between two bodies, and the gap at its end:
///
///     h lambda sum_i factor_i grad s_i,     g1 = g0 + sum_i factor_i (s_i1 - s_i0)
void GeneralEngine::assembleCoupling(const MechanismState& state, std::size_t j, double h, Forming forming) {
  const MechanismJoint& joint = mechanism_.joints()[j];
  const int border = border_.ofJoint[j], unknown = system_.firstUnknown(border);
  const double lambda = z_[6 * static_cast<int>(end_.size()) + joint.firstRow];
  double before = 0.0, change = 0.0;
  for (const CouplingTerm& term : joint.coupling->terms()) {
    const ElementStep step = relativeStep(state, term.first, term.second, h);
    const CoordinateStep coordinate = term.coordinate.step(step);
    before += term.factor * coordinate.before;
    change += term.factor * (coordinate.after - coordinate.before);

    const Pull force = h * term.factor * coordinate.gradient, pull = lambda * force;
    addPull(term.first, pull.head<6>(), forming);
    addPull(term.second, pull.tail<6>(), forming);
    if (forming != Forming::matrix) continue;
    const Pull end = term.factor * term.coordinate.gradient(step.first1, step.second1);
    for (const bool first : {true, false}) {
      const int body = first ? term.first : term.second;
      if (body < 0) continue;
      const int node = nodeOf_[static_cast<std::size_t>(body)];
      system_.borderRow(node, border, 0) += end.segment<6>(first ? 0 : 6);
      system_.borderColumn(node, border, 0) -= force.segment<6>(first ? 0 : 6);
    }
    const ElementJacobian jacobian = h * lambda * term.factor * term.coordinate.gradientJacobian(step);
    addStiffness(mechanism_, nodeOf_, system_, term.first, term.second, jacobian, -1);
  }
  const double gap = joint.coupling->gapAfter(before, change);
  if (forming == Forming::measured) noteGap(j, gap, joint.equations[0].form.kind != FormKind::axes);
  system_.border().right(unknown) = -gap;
  system_.border().present(unknown) = lambda;
}

}  // namespace polhode
