#include "integrate/mechanism/general_engine.h"
#include "system/joint_coupling.h"

/// The rows of gears, racks and screws in the general engine.
namespace polhode {

/// The coordinates' discrete gradients over the step, each between two bodies, and the gap at its end:
///
///     h lambda sum_i factor_i grad s_i,     g1 = g0 + sum_i factor_i (s_i1 - s_i0)
void GeneralEngine::assembleCoupling(const MechanismState& state, std::size_t j, double h, Matrix matrix) {
  const MechanismJoint& joint = mechanism_.joints()[j];
  const int border = border_.ofJoint[j], unknown = system_.firstUnknown(border);
  const double lambda = z_[6 * static_cast<int>(end_.size()) + joint.firstRow];
  double before = 0.0, change = 0.0;
  for (const CouplingTerm& term : joint.coupling->terms()) {
    const MeanForm ends = meanForm(state, term.first, term.second);
    const ElementStep step{state.time, state.time + h, ends.first0, ends.first1, ends.second0, ends.second1};
    const CoordinateStep coordinate = term.coordinate.step(step);
    before += term.factor * coordinate.before;
    change += term.factor * (coordinate.after - coordinate.before);

    const Pull force = h * term.factor * coordinate.gradient, pull = lambda * force;
    const ElementWrenches wrenches{{pull.segment<3>(0), pull.segment<3>(3)}, {pull.segment<3>(6), pull.segment<3>(9)}};
    addWrenches(term.first, term.second, wrenches);
    noteTerms(term.first, wrenches.first);
    noteTerms(term.second, wrenches.second);
    if (matrix == Matrix::kept) continue;
    const Pull end = term.factor * term.coordinate.gradient(ends.first1, ends.second1);
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
  noteGap(j, gap, joint.equations[0].form.kind != FormKind::axes);
  system_.border().right(unknown) = -gap;
  system_.border().present(unknown) = lambda;
}

}  // namespace polhode
