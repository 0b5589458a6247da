#include "integrate/mechanism/hinge_tree.h"

#include "integrate/mechanism/tree_parts.h"

#include <cmath>
#include <limits>

namespace polhode {

namespace {

constexpr int mostTreeIterations = 12;

}  // namespace

bool HingeTree::fits(const Mechanism& mechanism) {
  return isTreeOfBallsAndHinges(mechanism);
}

HingeTree::HingeTree(const Mechanism& mechanism, int sequences)
    : HingeTree(mechanism, sequences, TreePieces::of(parentNodes(mechanism))) {}

HingeTree::HingeTree(const Mechanism& mechanism, int sequences, const TreePieces& pieces)
    : mechanism_(mechanism),
      kernel_(treeParts(mechanism, pieces).kernel(pieces)),
      turns_(3 * static_cast<Eigen::Index>(kernel_.size())) {
  for (int i = 0; i < sequences; ++i) pasts_.push_back({StepPrediction(turns_.size(), turns_.size()), Contraction()});
}

StepReport HingeTree::step(MechanismState& state, double h, int sequence) {
  Past& past = pasts_[static_cast<std::size_t>(sequence)];
  const auto stretch = [&](double ratio) {
    for (std::size_t i = 0; i < kernel_.size(); ++i) kernel_.turn(i) *= ratio;
    kernel_.place(state.bodies);
  };
  const StepReport report = iterateFromPast(
      h, past.turns.known, past.contraction, [&](double length) { predict(state, length, past); },
      [&](double length) { return iterate(state, length, past.contraction); }, stretch);
  if (report.converged) finish(state, h, past);
  return report;
}

/// From the turns of the last steps; from the rates at the start where there are none.
void HingeTree::predict(const MechanismState& state, double h, Past& past) {
  constexpr double missToLearnFrom = 2e-10;  // radians: what its square leaves is not hidden by roundings yet
  past.turns.begin(h);
  if (past.turns.known == 0) {
    for (std::size_t i = 0; i < kernel_.size(); ++i)
      kernel_.turn(i) = h * turnRate(state.bodies[static_cast<std::size_t>(kernel_.link(i).body)]);
  } else {
    const auto order = past.contraction.learns() ? past.turns.noBetterThan(missToLearnFrom) : past.turns.best();
    kernel_.eachPiece([&](const TreePieces::Piece& piece, std::size_t) {
      const auto begin = static_cast<Eigen::Index>(piece.begin), end = static_cast<Eigen::Index>(piece.end);
      past.turns.predict(order, 3 * begin, 3 * (end - begin), turns_);
      for (std::size_t i = piece.begin; i < piece.end; ++i)
        kernel_.turn(i) = turns_.segment<3>(3 * static_cast<Eigen::Index>(i));
    });
  }
  kernel_.begin(state.bodies);
}

/// Newton's method; stops when the next correction would be lost in the increments' roundings.
StepReport HingeTree::iterate(const MechanismState& state, double h, Contraction& contraction) {
  constexpr double roundOff = std::numeric_limits<double>::epsilon(), stagnation = 1e-13;
  constexpr double lostInSums = 256.0;  // roundings of the turns that roundings of long sums amount to
  StepReport report;
  double before = 0.0;
  bool serves = false;
  while (report.iterations < mostTreeIterations) {
    if (serves)
      kernel_.inward<Kernel::Matrix::kept>(state.bodies, h);
    else
      kernel_.inward<Kernel::Matrix::made>(state.bodies, h);
    const Kernel::Correction correction = kernel_.correct(state.bodies);
    const double now = std::sqrt(correction.change);
    ++report.iterations;
    if (!serves) ++report.factorisations;
    report.residual = now;
    if (!std::isfinite(now)) return report;
    const double target = roundOff * std::max(std::sqrt(correction.turn), 1e-6);
    if (contraction.suffices(now, before, target, lostInSums * target) ||
        (before > 0.0 && now < stagnation && now > 0.5 * before)) {
      report.converged = hingesClose(mechanism_, kernel_, report);
      report.doubtful = !report.converged;
      return report;
    }
    serves = Contraction::matrixServes(now, before);
    before = now;
  }
  return report;
}

/// The forces of the joints for the increments as they are now, and the state at the end of the step.
void HingeTree::finish(MechanismState& state, double h, Past& past) {
  kernel_.finish(state.bodies, h, [&](std::size_t i, const Vector3& force, const Vector3& torque) {
    const MechanismJoint& joint = parentJointOf(mechanism_, kernel_.link(i));
    const double sign = joint.second == kernel_.link(i).body ? 1.0 : -1.0;
    for (int k = 0; k < 3; ++k) state.multipliers[joint.firstRow + k] = sign / h * force[k];
    turns_.segment<3>(3 * static_cast<Eigen::Index>(i)) = kernel_.turn(i);
    if (!kernel_.link(i).isHinge) return;
    const HingeDuals<double> duals(kernel_.meanAxes(i));
    for (int k = 0; k < 2; ++k) state.multipliers[joint.firstRow + 3 + k] = -duals.s[k].dot(torque) / h;
  });
  past.turns.add(h, turns_);
  state.time += h;
}

}  // namespace polhode
