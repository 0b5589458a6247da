#include "integrate/mechanism/tree_loops.h"

#include "integrate/mechanism/form_stiffness.h"
#include "integrate/mechanism/tree_parts.h"
#include "math/index.h"
#include "math/tree_system.h"
#include "system/mechanism_extent.h"

#include <algorithm>
#include <cmath>

namespace polhode {

namespace {

/// One part for each joint that closes a loop.
std::vector<BorderPart> partsOf(const Mechanism& mechanism, const std::vector<int>& nodeOf) {
  std::vector<BorderPart> parts;
  for (const int j : mechanism.topology().cutJoints) {
    const MechanismJoint& joint = mechanism.joints()[at(j)];
    BorderPart& part = parts.emplace_back();
    part.size = joint.rows();
    for (const int body : {joint.first, joint.second})
      if (body >= 0) part.nodes.push_back(nodeOf[at(body)]);
  }
  return parts;
}

std::vector<int> parentNodes(const Mechanism& mechanism, const std::vector<int>& nodeOf) {
  std::vector<int> parents(nodeOf.size());
  for (std::size_t b = 0; b < nodeOf.size(); ++b) {
    const int parent = mechanism.topology().parent[b];
    parents[at(nodeOf[b])] = parent < 0 ? -1 : nodeOf[at(parent)];
  }
  return parents;
}

/// Adds three numbers to three others. What cancels is zero, not a rounding: where bodies do not move against each other
/// nothing is left of a loop between them, and no pivot may be made of that. `size` is what `more` is made of.
template <class Sum>
void addHandedOn(Sum&& sum, const Vector3& more, double size) {
  constexpr double cancelled = 1e-13;
  const double rounding = cancelled * (size + std::max({std::abs(sum[0]), std::abs(sum[1]), std::abs(sum[2])}));
  for (int k = 0; k < 3; ++k) {
    const double total = sum[k] + more[k];
    sum[k] = std::abs(total) > rounding ? total : 0.0;
  }
}

/// How easily a body would be moved and turned if nothing held it: twice the inverse of its mass and moments about the axes of
/// space; not at all where these are zero.
Vector6 easeOf(const TreeLink<double>& link, const Matrix3& D) {
  const auto half = [](double inertia) { return inertia > 0.0 ? 0.5 / inertia : 0.0; };
  Vector6 ease;
  ease.head<3>().setConstant(half(link.mass));
  for (int k = 0; k < 3; ++k) {
    const Vector3 row = D.row(k);
    ease[3 + k] = half(link.secondMoments.sum() - link.secondMoments.dot(row.cwiseProduct(row)));
  }
  return ease;
}

std::ptrdiff_t offset(std::size_t i) {
  return static_cast<std::ptrdiff_t>(i);
}

double sumOfSizes(const Vector3& v) {
  return std::abs(v[0]) + std::abs(v[1]) + std::abs(v[2]);
}

}  // namespace

bool TreeLoops::fit(const Mechanism& mechanism) {
  for (const int j : mechanism.topology().cutJoints) {
    const MechanismJoint& joint = mechanism.joints()[at(j)];
    if (joint.coupling) return false;
    for (const JointEquation& equation : joint.equations)
      if (equation.drive || (equation.form.kind != FormKind::point && equation.form.kind != FormKind::axes))
        return false;
  }
  return true;
}

TreePieces TreeLoops::piecesOf(const Mechanism& mechanism) {
  const std::vector<int> nodeOf = nodesOf(mechanism, TreePieces::whole(mechanism.bodies().size()));
  const BorderReach reach(parentNodes(mechanism, nodeOf), partsOf(mechanism, nodeOf), TreeSystem::usuallySmall);
  std::vector<bool> closes(nodeOf.size(), true);  // whether all loops that a node knows close there
  for (std::size_t i = 0; i < closes.size(); ++i)
    for (const int part : reach.known[i])
      if (reach.homes[at(part)] != static_cast<int>(i)) closes[i] = false;
  return TreePieces::of(polhode::parentNodes(mechanism), closes);
}

TreeLoops::TreeLoops(const Mechanism& mechanism, std::vector<int> nodeOf, const TreePieces& pieces)
    : mechanism_(mechanism),
      joints_(mechanism.topology().cutJoints),
      nodeOf_(std::move(nodeOf)),
      parts_(partsOf(mechanism, nodeOf_)),
      reach_(parentNodes(mechanism, nodeOf_), parts_, TreeSystem::usuallySmall),
      border_(reach_.makeBorder<double>(parts_)),
      places_(parentNodes(mechanism, nodeOf_), parts_, reach_, border_),
      size_(extentOf(mechanism).size),
      pulls_(nodeOf_.size()),
      stiffness_(nodeOf_.size()),
      springs_(nodeOf_.size()),
      isSprung_(nodeOf_.size(), false),
      multipliers_(VectorX::Zero(border_.size())),
      seen_(places_.slots(), Vector3::Zero()),
      own_(places_.slots(), Vector3::Zero()) {
  for (std::vector<double>* values : {&columns_, &rows_, &homedColumns_}) values->assign(6 * places_.slots(), 0.0);
  for (std::size_t k = 0; k < joints_.size(); ++k) {
    const MechanismJoint& joint = mechanism.joints()[at(joints_[k])];
    for (const int body : {joint.first, joint.second}) {
      if (body < 0)
        ends_.push_back({-1, BorderPlaces::none});
      else
        ends_.push_back({nodeOf_[at(body)], places_.slot(nodeOf_[at(body)], static_cast<int>(k))});
    }
  }
  std::size_t slots = 0;
  for (const TreePieces::Piece& piece : pieces.pieces) {
    OfPiece& own = ofPieces_.emplace_back();
    own.firstSlot = slots;
    for (std::size_t node = piece.begin; node < piece.end; ++node) {
      std::size_t here = 0;
      for (const BorderPlaces::Known& known : places_.knownBy(static_cast<int>(node)))
        here += at(places_.part(known.part).size);
      mostKnown_ = std::max(mostKnown_, here);
      slots += here;
      pieceOf_.push_back(static_cast<int>(ofPieces_.size()) - 1);
    }
    own.lastSlot = slots;
  }
  for (std::size_t k = 0; k < joints_.size(); ++k) {
    const int a = ends_[2 * k].node, b = ends_[2 * k + 1].node;
    const int first = pieceOf_[at(a < 0 ? b : a)], second = pieceOf_[at(b < 0 ? a : b)];
    (first == second ? ofPieces_[at(first)].joints : between_).push_back(k);
  }
  seenByAxis_.resize(mostKnown_ * ofPieces_.size());
  ownByAxis_.resize(seenByAxis_.size());
}

void TreeLoops::loosen(const Redundancy& redundancy) {
  constexpr double closed = 1e-10, worse = 100.0;
  if (!redundancy.rows().empty()) looseness_ = closed + worse * redundancy.largestRounding();
}

template <bool factorise>
void TreeLoops::clear(const TreePieces::Piece& piece, const OfPiece& own) {
  std::fill(pulls_.begin() + offset(piece.begin), pulls_.begin() + offset(piece.end), TreeLoad<double>());
  if constexpr (factorise) {
    std::fill(stiffness_.begin() + offset(piece.begin), stiffness_.begin() + offset(piece.end), Articulated<double>());
    for (std::size_t i = piece.begin; i < piece.end; ++i)
      if (isSprung_[i]) springs_[i] = {};
    for (std::vector<double>* values : {&columns_, &rows_})
      std::fill(values->begin() + offset(6 * own.firstSlot), values->begin() + offset(6 * own.lastSlot), 0.0);
  }
}

template <bool factorise>
void TreeLoops::assemble(double h, const MechanismState& state, TreeKernel<double>& kernel) {
  if constexpr (factorise)
    border_.clear();
  else
    border_.clearRight();
  kernel.eachPiece([&](const TreePieces::Piece& piece, std::size_t p) {
    OfPiece& own = ofPieces_[p];
    clear<factorise>(piece, own);
    own.widest = {};
    for (const std::size_t k : own.joints) assemble<factorise>(k, h, state, kernel, own.widest);
  });
  widest_ = {};
  for (const std::size_t k : between_) assemble<factorise>(k, h, state, kernel, widest_);
  for (const OfPiece& own : ofPieces_)
    if (!(own.widest.relative <= widest_.relative) && !std::isnan(widest_.relative)) widest_ = own.widest;
}

/// One joint that closes a loop; not inlined, so that what it calls is.
template <bool factorise>
[[gnu::noinline]] void TreeLoops::assemble(std::size_t k, double h, const MechanismState& state,
                                           const TreeKernel<double>& kernel, Gap& widest) {
  const std::span<const MovingPlacement> bodies = state.bodies;
  int unknown = places_.part(static_cast<int>(k)).first;
  const MechanismJoint& joint = mechanism_.joints()[at(joints_[k])];
  const End* const ends = &ends_[2 * k];
  // seen from where one of the bodies was: joints know no place in space, and keep their digits far from its origin
  const Vector3 origin = bodies[at(joint.first >= 0 ? joint.first : joint.second)].at.x;
  ElementStep step{};
  const auto put = [&](int body, int node, Placement& at0, Placement& at1) {
    if (body < 0) {
      at0.x = at1.x = -origin;
      return;
    }
    at0 = {(bodies[at(body)].at.x - origin) + state.lost[at(body)].x, bodies[at(body)].at.D};
    at1 = {at0.x + kernel.displacement(at(node)), kernel.directorsAtEnd(at(node))};
  };
  put(joint.first, ends[0].node, step.first0, step.first1);
  put(joint.second, ends[1].node, step.second0, step.second1);
  Vector6 ease[2] = {Vector6::Zero(), Vector6::Zero()};
  if constexpr (factorise)
    for (int side = 0; side < 2; ++side)
      if (ends[side].node >= 0)
        ease[side] = easeOf(kernel.link(at(ends[side].node)), kernel.directorsAtEnd(at(ends[side].node)));
  FormStep forms(step);
  Vector6 on[2] = {Vector6::Zero(), Vector6::Zero()};
  for (int row = 0; row < joint.rows(); ++row, ++unknown) {
    const JointEquation& equation = joint.equations[at(row)];
    const double lambda = multipliers_[unknown];
    forms.take(equation.form);
    forms.gradient(FormStep::At::mean, on[0], on[1]);
    const double gap = forms.valueAtEnd() - equation.offsetAt(0.0);
    noteGap(at(joints_[k]), gap, equation.form.kind == FormKind::point, widest);
    border_.right(unknown) = -gap;
    border_.present(unknown) = lambda;
    for (int side = 0; side < 2; ++side) {
      if (ends[side].node < 0) continue;
      TreeLoad<double>& pull = pulls_[at(ends[side].node)];
      pull.force += lambda * on[side].head<3>();
      pull.torque += lambda * on[side].tail<3>();
      if constexpr (factorise) six(columns_, ends[side].slot + at(row)) = -h * on[side];
    }
    if constexpr (factorise) {
      const Vector6 pulled[2] = {on[0], on[1]};
      forms.gradient(FormStep::At::end, on[0], on[1]);
      Matrix3 turning[2];
      forms.turningStiffness(turning[0], turning[1]);
      for (int side = 0; side < 2; ++side) {
        if (ends[side].node < 0) continue;
        six(rows_, ends[side].slot + at(row)) = on[side];
        border_.freeScale(unknown) += h * h * pulled[side].cwiseProduct(on[side]).cwiseAbs().dot(ease[side]);
        stiffness_[at(ends[side].node)].tt -= h * lambda * turning[side];
      }
    }
  }
}

/// The loops that close in a node, when all beyond it has been eliminated: D^-1 takes them out of its own matrix and
/// right-hand side, and out of the other loops that it knows.
template <bool factorise>
void TreeLoops::close(std::size_t node, Articulated<double>& matrix, Vector3& onPlace, Vector3& onTurn) {
  for (const BorderPlaces::Homed& homed : places_.homedAt(static_cast<int>(node))) {
    const BorderPlaces::Part& part = places_.part(homed.part);
    if constexpr (factorise) {
      border_.factorise(homed.group);
      const SixWide F = wide(columns_, homed.slot, part.size), R = wide(rows_, homed.slot, part.size);
      SixWide FD = wide(homedColumns_, homed.slot, part.size);
      FD.setZero();
      for (const int i : border_.determined(homed.group)) {
        for (int k = 0; k < part.size; ++k) FD.col(i) += border_.inverse(homed.group)(k, i) * F.col(k);
        const Vector3 force = FD.col(i).head<3>(), torque = FD.col(i).tail<3>();
        const auto place = R.col(i).head<3>().transpose(), turn = R.col(i).tail<3>().transpose();
        matrix.xx.noalias() -= force * place;
        matrix.xt.noalias() -= force * turn;
        matrix.tx.noalias() -= torque * place;
        matrix.tt.noalias() -= torque * turn;
        for (const BorderPlaces::Change& change : homed.changes)
          for (int j = 0; j < change.size; ++j) {
            six(rows_, change.slot + at(j)) -= border_.lower(change.below)(j, i) * R.col(i);
            six(columns_, change.slot + at(j)) -= border_.block(change.right)(i, j) * FD.col(i);
          }
      }
    }
    for (int i = 0; i < part.size; ++i) {
      const double right = border_.right(part.first + i);
      const auto column = six(homedColumns_, homed.slot + at(i));
      onPlace -= right * column.head<3>();
      onTurn -= right * column.tail<3>();
    }
    border_.reduce(homed.group);
  }
}

template <bool factorise, class Elimination>
void TreeLoops::handOn(std::size_t node, const Elimination& joint) {
  const auto known = places_.knownBy(static_cast<int>(node));
  if (known.empty()) return;
  if constexpr (factorise) handOnMatrix(node, joint);
  for (const BorderPlaces::Known& k : known) {
    const BorderPlaces::Part& part = places_.part(k.part);
    if (part.home == static_cast<int>(node)) continue;
    for (int i = 0; i < part.size; ++i) border_.right(part.first + i) -= seen_[k.slot + at(i)].dot(joint.ownTurn());
  }
}

void TreeLoops::handOnMatrix(std::size_t node, const BallElimination<double>& ball) {
  const auto& [a, aLeft, b, bLeft] = ball.levers;
  const Matrix3 sizes = ball.inverse().cwiseAbs();
  const double sizeOfRow = ball.byPlace().cwiseAbs().sum(), sizeOfColumn = ball.onPlace().cwiseAbs().sum();
  const double reach = sumOfSizes(b), reachLeft = sumOfSizes(bLeft);
  const auto known = places_.knownBy(static_cast<int>(node));
  for (const BorderPlaces::Known& k : known) {
    const BorderPlaces::Part& part = places_.part(k.part);
    if (part.home == static_cast<int>(node)) continue;
    for (int i = 0; i < part.size; ++i) {
      const std::size_t slot = k.slot + at(i);
      const auto column = six(columns_, slot), row = six(rows_, slot);
      const Vector3 force = column.head<3>(), place = row.head<3>();
      const Vector3 torque = column.tail<3>() - aLeft.cross(force), seen = row.tail<3>() + place.cross(a);
      const Vector3 own = ball.inverse() * torque;
      seen_[slot] = seen;
      own_[slot] = own;
      border_.scale(part.first + i) += seen.cwiseAbs().dot(sizes * torque.cwiseAbs());
      if (k.parentSlot == BorderPlaces::none) continue;
      auto above = six(columns_, k.parentSlot + at(i)), rowAbove = six(rows_, k.parentSlot + at(i));
      const Vector3 rest = force - ball.onPlace() * own, shown = place - ball.byPlace().transpose() * seen;
      const double size = sumOfSizes(force) + sizeOfColumn * sumOfSizes(own),
                   sizeShown = sumOfSizes(place) + sizeOfRow * sumOfSizes(seen);
      addHandedOn(above.head<3>(), rest, size);
      addHandedOn(above.tail<3>(), bLeft.cross(rest), reachLeft * size);
      addHandedOn(rowAbove.head<3>(), shown, sizeShown);
      addHandedOn(rowAbove.tail<3>(), b.cross(shown), reach * sizeShown);
    }
  }
  const int* pair = places_.pairsOf(static_cast<int>(node));
  for (const BorderPlaces::Known& k : known) {
    const BorderPlaces::Part& rows = places_.part(k.part);
    if (rows.home == static_cast<int>(node)) continue;
    const int firstRow = border_.place(rows.first).row;
    for (const BorderPlaces::Known& l : known) {
      const BorderPlaces::Part& columns = places_.part(l.part);
      if (columns.home == static_cast<int>(node)) continue;
      LoopBorder::Matrix& D = border_.block(*pair++);
      const int firstColumn = border_.place(columns.first).row;
      for (int j = 0; j < columns.size; ++j)
        for (int i = 0; i < rows.size; ++i)
          D(firstRow + i, firstColumn + j) -= seen_[k.slot + at(i)].dot(own_[l.slot + at(j)]);
    }
  }
}

void TreeLoops::handOnMatrix(std::size_t node, const HingeElimination<double>& hinge) {
  const auto& [a, aLeft, b, bLeft] = hinge.levers;
  const Vector3& axis = hinge.axis();
  const Vector3 forceByAxis = hinge.onPlace() * axis, torqueByAxis = hinge.onTurn() * axis;
  const Vector3 sizesOfLeft = hinge.leftRow().cwiseAbs(), sizesOfAxis = axis.cwiseAbs();
  const double reach = sumOfSizes(b), reachLeft = sumOfSizes(bLeft);
  const double sizeOfForce = sumOfSizes(forceByAxis), sizeOfTorque = sumOfSizes(torqueByAxis);
  const double sizeOfPlace = sumOfSizes(hinge.placeRow()), sizeOfTurn = sumOfSizes(hinge.turnRow());
  const auto known = places_.knownBy(static_cast<int>(node));
  double* const ownByAxis = ownByAxis_.data() + mostKnown_ * at(pieceOf_[node]);
  double* const seenByAxes = seenByAxis_.data() + mostKnown_ * at(pieceOf_[node]);
  std::size_t here = 0;
  for (const BorderPlaces::Known& k : known) {
    const BorderPlaces::Part& part = places_.part(k.part);
    if (part.home == static_cast<int>(node)) continue;
    for (int i = 0; i < part.size; ++i, ++here) {
      const std::size_t slot = k.slot + at(i);
      const auto column = six(columns_, slot), row = six(rows_, slot);
      const Vector3 force = column.head<3>(), place = row.head<3>();
      const Vector3 torque = column.tail<3>() - aLeft.cross(force), seen = row.tail<3>() + place.cross(a);
      const double own = hinge.leftRow().dot(torque), seenByAxis = seen.dot(axis);
      seen_[slot] = seen;
      own_[slot] = own * axis;
      ownByAxis[here] = own;
      seenByAxes[here] = seenByAxis;
      border_.scale(part.first + i) += seen.cwiseAbs().dot(sizesOfAxis) * sizesOfLeft.dot(torque.cwiseAbs());
      if (k.parentSlot == BorderPlaces::none) continue;
      auto above = six(columns_, k.parentSlot + at(i)), rowAbove = six(rows_, k.parentSlot + at(i));
      const Vector3 rest = force - own * forceByAxis, shown = place - seenByAxis * hinge.placeRow();
      const double size = sumOfSizes(force) + std::abs(own) * sizeOfForce,
                   sizeShown = sumOfSizes(place) + std::abs(seenByAxis) * sizeOfPlace;
      addHandedOn(above.head<3>(), rest, size);
      addHandedOn(above.tail<3>(), torque - own * torqueByAxis + bLeft.cross(rest),
                  sumOfSizes(torque) + std::abs(own) * sizeOfTorque + reachLeft * size);
      addHandedOn(rowAbove.head<3>(), shown, sizeShown);
      addHandedOn(rowAbove.tail<3>(), seen - seenByAxis * hinge.turnRow() + b.cross(shown),
                  sumOfSizes(seen) + std::abs(seenByAxis) * sizeOfTurn + reach * sizeShown);
    }
  }
  const int* pair = places_.pairsOf(static_cast<int>(node));
  std::size_t rowHere = 0;
  for (const BorderPlaces::Known& k : known) {
    const BorderPlaces::Part& rows = places_.part(k.part);
    if (rows.home == static_cast<int>(node)) continue;
    const int firstRow = border_.place(rows.first).row;
    std::size_t columnHere = 0;
    for (const BorderPlaces::Known& l : known) {
      const BorderPlaces::Part& columns = places_.part(l.part);
      if (columns.home == static_cast<int>(node)) continue;
      LoopBorder::Matrix& D = border_.block(*pair++);
      const int firstColumn = border_.place(columns.first).row;
      for (int j = 0; j < columns.size; ++j, ++columnHere) {
        const double own = ownByAxis[columnHere];
        if (own == 0.0) continue;  // as of all that holds a plane mechanism in its plane
        double* const column = &D(firstRow, firstColumn + j);
        for (int i = 0; i < rows.size; ++i) column[i] -= seenByAxes[rowHere + at(i)] * own;
      }
    }
    rowHere += at(rows.size);
  }
}

Vector3 TreeLoops::turn(std::size_t node) const {
  Vector3 sum = Vector3::Zero();
  for (const BorderPlaces::Known& k : places_.knownBy(static_cast<int>(node))) {
    const BorderPlaces::Part& part = places_.part(k.part);
    if (part.home == static_cast<int>(node)) continue;
    for (int i = 0; i < part.size; ++i) sum -= border_.solution(part.first + i) * own_[k.slot + at(i)];
  }
  return sum;
}

void TreeLoops::closeBack(std::size_t node, const Vector3& motion, const Vector3& turn) {
  const auto& all = places_.homedAt(static_cast<int>(node));
  for (auto homed = all.rbegin(); homed != all.rend(); ++homed) {
    const BorderPlaces::Part& part = places_.part(homed->part);
    for (int i = 0; i < part.size; ++i) {
      const auto row = six(rows_, homed->slot + at(i));
      border_.right(part.first + i) -= row.head<3>().dot(motion) + row.tail<3>().dot(turn);
    }
    border_.solve(homed->group);
  }
}

void TreeLoops::correct() {
  for (int i = 0; i < border_.size(); ++i) multipliers_[i] += border_.solution(i);
}

/// Not a number counts as the widest.
void TreeLoops::noteGap(std::size_t joint, double gap, bool isLength, Gap& widest) const {
  constexpr double closed = 1e-11;
  const double relative = std::abs(gap) / (isLength ? size_ : 1.0) / std::max(closed, looseness_);
  if (relative <= widest.relative || std::isnan(widest.relative)) return;
  widest = {relative, std::abs(gap), static_cast<int>(joint)};
}

template void TreeLoops::assemble<true>(double, const MechanismState&, TreeKernel<double>&);
template void TreeLoops::assemble<false>(double, const MechanismState&, TreeKernel<double>&);
template void TreeLoops::close<true>(std::size_t, Articulated<double>&, Vector3&, Vector3&);
template void TreeLoops::close<false>(std::size_t, Articulated<double>&, Vector3&, Vector3&);
template void TreeLoops::handOn<true>(std::size_t, const BallElimination<double>&);
template void TreeLoops::handOn<false>(std::size_t, const BallElimination<double>&);
template void TreeLoops::handOn<true>(std::size_t, const HingeElimination<double>&);
template void TreeLoops::handOn<false>(std::size_t, const HingeElimination<double>&);

}  // namespace polhode
