#include "integrate/mechanism/loop_tree.h"

#include "integrate/archive.h"
#include "integrate/mechanism/tree_parts.h"
#include "math/cross.h"
#include "math/index.h"
#include "math/largest.h"
#include "system/mechanism_extent.h"
#include "system/redundancy.h"

#include <cmath>
#include <limits>

namespace polhode {

namespace {

constexpr int mostLoopIterations = 16;

/// Of node i, among all of them.
auto turnIn(VectorX& increments, std::size_t i) {
  return increments.segment<3>(3 * static_cast<Eigen::Index>(i));
}

}  // namespace

bool LoopTree::fits(const Mechanism& mechanism) {
  return hangsOnBallsAndHinges(mechanism) && TreeLoops::fit(mechanism) && TreeForces::fit(mechanism);
}

LoopTree::LoopTree(const Mechanism& mechanism, int sequences)
    : LoopTree(mechanism, sequences, TreeLoops::piecesOf(mechanism)) {}

LoopTree::LoopTree(const Mechanism& mechanism, int sequences, const TreePieces& pieces)
    : mechanism_(mechanism),
      size_(extentOf(mechanism).size),
      nodeOf_(nodesOf(mechanism, pieces)),
      kernel_(treeParts(mechanism, pieces).kernel(pieces)),
      loops_(mechanism, nodeOf_, pieces),
      forces_(mechanism, nodeOf_),
      impulses_(kernel_.size(), Vector3::Zero()),
      turningImpulses_(impulses_),
      balances_(kernel_.pieces()) {
  const auto turns = 3 * static_cast<Eigen::Index>(kernel_.size());
  increments_.resize(turns + loops_.multipliers().size());
  for (int i = 0; i < sequences; ++i) pasts_.push_back({StepPrediction(increments_.size(), turns), Contraction()});
  if (!loops_.empty()) limitRanks();
}

/// GeneralEngine::limitBorderRanks says why.
void LoopTree::limitRanks() {
  const Redundancy redundancy(mechanism_);
  loops_.loosen(redundancy);
  LoopBorder& border = loops_.border();
  if (border.pattern().nodes() == 1) return border.limitRank(redundancy.rank());
  rankIsKnown_ = false;
  MechanismState start = startOf(mechanism_);
  start.lost.resize(start.bodies.size());
  begin(start);
  assemble<true>(start, 1e-3);
  border.limitRanks();
}

StepReport LoopTree::step(MechanismState& state, double h, int sequence, std::span<const BodyLoad> loads) {
  loads_ = loads;
  state.lost.resize(state.bodies.size());
  Past& past = pasts_[at(sequence)];
  const StepReport report = iterateFromPast(
      h, past.steps.known, past.contraction, [&](double length) { predict(state, length, past); },
      [&](double length) { return iterate(state, length, past.contraction); });
  if (report.converged)
    finish(state, h, past);
  else if (!rankIsKnown_)
    loops_.border().freeRanks();  // rows may have depended on others only where the motion began
  return report;
}

/// From the turns and multipliers of the last steps; from the rates at the start where there are none.
void LoopTree::predict(const MechanismState& state, double h, Past& past) {
  constexpr double missToLearnFrom =
      1e-8;  // radians: what its square leaves is not hidden by the roundings of gaps yet
  past.steps.begin(h);
  if (past.steps.known == 0) {
    for (std::size_t i = 0; i < kernel_.size(); ++i)
      kernel_.turn(i) = h * turnRate(state.bodies[at(kernel_.link(i).body)]);
    takeMultipliers(state);
  } else {
    const auto order = past.contraction.learns() ? past.steps.noBetterThan(missToLearnFrom) : past.steps.best();
    kernel_.eachPiece([&](const TreePieces::Piece& piece, std::size_t) {
      const auto begin = static_cast<Eigen::Index>(piece.begin), end = static_cast<Eigen::Index>(piece.end);
      past.steps.predict(order, 3 * begin, 3 * (end - begin), increments_);
      for (std::size_t i = piece.begin; i < piece.end; ++i) kernel_.turn(i) = turnIn(increments_, i);
    });
    const Eigen::Index multipliers = loops_.multipliers().size();
    past.steps.predict(order, increments_.size() - multipliers, multipliers, increments_);
    loops_.multipliers() = increments_.tail(multipliers);
  }
  begin(state);
}

/// Joints are seen with the digits that rounding took from the places of their bodies.
void LoopTree::begin(const MechanismState& state) {
  kernel_.begin(state.bodies, [&](int body) -> const Vector3& { return state.lost[at(body)].x; });
}

void LoopTree::takeMultipliers(const MechanismState& state) {
  int row = 0;
  for (const int j : loops_.joints()) {
    const MechanismJoint& joint = mechanism_.joints()[at(j)];
    loops_.multipliers().segment(row, joint.rows()) = state.multipliers.segment(joint.firstRow, joint.rows());
    row += joint.rows();
  }
}

/// What pulls at the bodies where the step ends now: joints that close loops, forces and loads.
template <bool factorise>
void LoopTree::pull(const MechanismState& state, double h) {
  loops_.assemble<factorise>(h, state, kernel_);
  forces_.add(factorise, state, h, kernel_, loops_);
  for (std::size_t b = 0; b < loads_.size(); ++b) {
    const BodyLoad& load = loads_[b];
    if (load.force.isZero(0.0) && load.torque.isZero(0.0)) continue;
    const std::size_t i = at(nodeOf_[b]);
    const Wrench wrench = load.wrench(kernel_.meanDirectors(i));
    loops_.pull(i).force += wrench.force;
    loops_.pull(i).torque += wrench.torque;
    if constexpr (factorise)
      loops_.stiffness(i).tt -= 0.5 * h * doubleCross(load.force, Vector3(kernel_.directorsAtEnd(i) * load.point));
  }
  kernel_.eachPiece([&](const TreePieces::Piece& piece, std::size_t) {
    for (std::size_t i = piece.begin; i < piece.end; ++i) kernel_.load(i) = loops_.pull(i);
  });
}

/// The equations of all bodies, eliminated; the matrix with its factors as well unless those of the last time serve.
template <bool factorise>
void LoopTree::assemble(const MechanismState& state, double h) {
  pull<factorise>(state, h);
  kernel_.inward<factorise ? Kernel::Matrix::made : Kernel::Matrix::kept>(state.bodies, h, loops_);
  loops_.solve<factorise>();
}

/// Newton's method; stops when the next correction would be lost in the increments' roundings and the equations hold.
StepReport LoopTree::iterate(const MechanismState& state, double h, Contraction& contraction) {
  constexpr double roundOff = std::numeric_limits<double>::epsilon(), stagnation = 1e-11;
  constexpr double lostInSums = 256.0;          // roundings of the turns that roundings of long sums amount to
  constexpr double lastDigit = 4.0 * roundOff;  // of directors, and so of gaps: what is left behind it is roundings
  constexpr int mostDoubts = 3;
  StepReport report;
  double before = 0.0;
  bool serves = false;
  for (int doubts = 0; report.iterations < mostLoopIterations && doubts < mostDoubts;) {
    serves ? assemble<false>(state, h) : assemble<true>(state, h);
    const Kernel::Correction correction = kernel_.correct(state.bodies, Kernel::WholeChange(), loops_);
    loops_.correct();
    const double now = std::sqrt(correction.change);
    ++report.iterations;
    if (!serves) ++report.factorisations;
    report.residual = now;
    if (!std::isfinite(now)) return report;
    const double target = std::max(roundOff * std::sqrt(correction.turn), 0.01 * lastDigit);
    const double roundings = std::max(4.0 * lastDigit, lostInSums * target);
    const bool rests = contraction.suffices(now, before, target, roundings) || now <= lastDigit ||
                       (before > 0.0 && now < stagnation && now > 0.5 * before);
    const bool isTrusted = before == 0.0 && now > lastDigit;
    serves = Contraction::matrixServes(now, before);
    before = now;
    if (!rests) continue;
    report.converged = vouches(state, h, isTrusted, report);
    if (report.converged) break;
    contraction.forget();
    if (isTrusted) continue;
    serves = false;
    ++doubts;
  }
  return report;
}

/// What a node adds to the balance of its piece.
inline void LoopTree::weigh(std::size_t i, const Vector3& force, const Vector3& torque, const MechanismState& state,
                            double h) {
  auto& [impulse, turning, increment, terms, left, largestLeft, sheared, worst] = balances_[loops_.pieceOf(i)];
  const TreeLink<double>& link = kernel_.link(i);
  const MovingPlacement& start = state.bodies[at(link.body)];
  const double way = kernel_.displacement(i).norm(), angle = kernel_.turn(i).norm(), rate = 2.0 / std::abs(h);
  const Vector3 residual = link.isHinge ? kernel_.residualOfHinge(i, torque) : torque;
  const TreeLoad<double>& load = kernel_.load(i);
  const Matrix3 D1 = start.at.D + crossed(kernel_.turn(i), kernel_.meanDirectors(i));
  sheared = largestOrNaN(sheared, (D1.transpose() * D1 - Matrix3::Identity()).norm());
  const double forces = force.norm() + std::abs(h) * load.force.norm() +
                        link.mass * (rate * way + 2.0 * start.rate.v.norm()),
               torques = link.arm.norm() * force.norm() + std::abs(h) * load.torque.norm() +
                         link.secondMoments.maxCoeff() * (rate * angle + 2.0 * start.rate.W.norm());
  impulse = std::max(impulse, forces);
  turning = std::max(turning, torques);
  increment = std::max({increment, way / size_, angle});
  terms += forces * way + torques * angle;
  left += std::abs(residual.dot(kernel_.turn(i)));
  if (!(residual.norm() <= largestLeft)) largestLeft = residual.norm(), worst = i;
  impulses_[i] = force;
  turningImpulses_[i] = torque;
}

/// Looks at the joints and the balance of momentum where the step ends. What is left of the balance is measured by the work that
/// it does, since this is what the energy would be off by, and by the largest terms. Directors that a turn without bounds has sheared
/// are no body's. A step that is trusted, as no second iteration has shown yet that the turns and the multipliers have come to
/// rest, is to leave nothing but roundings.
bool LoopTree::vouches(const MechanismState& state, double h, bool isTrusted, StepReport& report) {
  constexpr double balanced = 1e-7, workless = 1e-11, orthonormal = 1e-12;
  constexpr double roundings = 16.0 * std::numeric_limits<double>::epsilon();
  pull<false>(state, h);
  report.doubtful = true;
  if (!hingesClose(mechanism_, kernel_, report)) return false;
  if (const TreeLoops::Gap gap = loops_.widestGap(); !(gap.relative <= 1.0)) {
    report.openJoint = mechanism_.joints()[at(gap.joint)].name;
    report.gap = gap.opening;
    return false;
  }
  std::fill(balances_.begin(), balances_.end(), Balance());
  kernel_.ask(state.bodies, h,
              [&](std::size_t i, const Vector3& force, const Vector3& torque) { weigh(i, force, torque, state, h); });
  Balance all;
  for (const Balance& balance : balances_) all += balance;
  const double allowed =
      (isTrusted ? 0.0 : workless * all.terms) + roundings * (all.impulse * size_ + all.turning) * all.increment;
  report.doubtful = !(all.largestLeft <= balanced * all.turning + roundings * all.impulse * size_ &&
                      all.left <= allowed && all.sheared <= orthonormal);
  if (report.doubtful) report.body = mechanism_.bodies()[at(kernel_.link(all.worst).body)].name;
  return !report.doubtful;
}

void LoopTree::Balance::operator+=(const Balance& other) {
  impulse = std::max(impulse, other.impulse);
  turning = std::max(turning, other.turning);
  increment = std::max(increment, other.increment);
  terms += other.terms;
  left += other.left;
  sheared = largestOrNaN(sheared, other.sheared);
  if (!(other.largestLeft <= largestLeft)) largestLeft = other.largestLeft, worst = other.worst;
}

/// The forces of the joints as the step has vouched for them, and the state at the end of the step.
void LoopTree::finish(MechanismState& state, double h, Past& past) {
  kernel_.eachPiece([&](const TreePieces::Piece& piece, std::size_t) {
    for (std::size_t i = piece.begin; i < piece.end; ++i) {
      turnIn(increments_, i) = kernel_.turn(i);
      const MechanismJoint& joint = parentJointOf(mechanism_, kernel_.link(i));
      const double sign = joint.second == kernel_.link(i).body ? 1.0 : -1.0;
      state.multipliers.segment<3>(joint.firstRow) = sign / h * impulses_[i];
      if (!kernel_.link(i).isHinge) continue;
      const HingeDuals<double> duals(kernel_.meanAxes(i));
      for (int k = 0; k < 2; ++k) state.multipliers[joint.firstRow + 3 + k] = -duals.s[k].dot(turningImpulses_[i]) / h;
    }
  });
  int row = 0;
  for (const int j : loops_.joints()) {
    const MechanismJoint& joint = mechanism_.joints()[at(j)];
    state.multipliers.segment(joint.firstRow, joint.rows()) = loops_.multipliers().segment(row, joint.rows());
    row += joint.rows();
  }
  increments_.tail(loops_.multipliers().size()) = loops_.multipliers();
  past.steps.add(h, increments_);
  state.work += forces_.work(state, h, kernel_);
  for (std::size_t b = 0; b < loads_.size(); ++b) {
    const std::size_t i = at(nodeOf_[b]);
    const Wrench wrench = loads_[b].wrench(kernel_.meanDirectors(i));
    state.work += wrench.force.dot(kernel_.displacement(i)) + wrench.torque.dot(kernel_.turn(i));
  }
  kernel_.eachPiece([&](const TreePieces::Piece& piece, std::size_t) {
    for (std::size_t i = piece.begin; i < piece.end; ++i) {
      const std::size_t b = at(kernel_.link(i).body);
      moveOn(state.bodies[b], state.lost[b], h, kernel_.displacement(i), kernel_.turn(i), kernel_.directorsAtEnd(i));
    }
  });
  state.time += h;
}

void LoopTree::persist(Archive& archive) {
  archive.section("loop tree");
  archive(pasts_, loops_.border());
}

}  // namespace polhode
