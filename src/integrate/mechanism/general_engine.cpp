#include "polhode/integrate/mechanism/general_engine.h"

#include "polhode/error.h"
#include "polhode/integrate/mechanism/turning_inertia.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

namespace polhode {

namespace {

constexpr int mostIterations = 40;

int parentOf(const Mechanism& mechanism, int body) {
  return mechanism.topology().parent[static_cast<std::size_t>(body)];
}

/// Whether two bodies are neighbours in the spanning tree, or one is the ground.
bool neighbours(const Mechanism& mechanism, int a, int b) {
  return a == groundIndex || b == groundIndex || parentOf(mechanism, a) == b || parentOf(mechanism, b) == a;
}

std::vector<int> nodesOf(const Mechanism& mechanism) {
  const std::vector<int>& order = mechanism.topology().order;
  std::vector<int> nodes(order.size());
  for (std::size_t i = 0; i < order.size(); ++i) nodes[static_cast<std::size_t>(order[i])] = static_cast<int>(i);
  return nodes;
}

/// Whether a joint's force on one body depends on how the other one turns or moves.
bool couples(const MechanismJoint& joint) {
  return std::any_of(joint.equations.begin(), joint.equations.end(),
                     [](const JointEquation& equation) { return equation.form.kind != FormKind::point; });
}

/// The border has a part for each joint that closes a loop, one of two times six unknowns for each force between bodies
/// that are no neighbours, and, as long as the border is small, for each of these joints that couples its bodies. (Where
/// the border is large Newton's method does without this part of the Jacobian and converges linearly, but fast.)
std::vector<BorderPart> borderParts(const Mechanism& mechanism, const std::vector<int>& nodeOf,
                                    std::vector<int>& ofJoint, std::vector<int>& ofCoupling,
                                    std::vector<int>& ofForce) {
  std::vector<BorderPart> parts;
  int unknowns = 0;
  const auto add = [&](int first, int second, int size) {
    std::vector<int> nodes;
    for (const int body : {first, second})
      if (body >= 0) nodes.push_back(nodeOf[static_cast<std::size_t>(body)]);
    parts.push_back({size, nodes});
    unknowns += size;
    return static_cast<int>(parts.size()) - 1;
  };
  ofJoint.assign(mechanism.joints().size(), -1);
  ofCoupling.assign(mechanism.joints().size(), -1);
  ofForce.assign(mechanism.forces().size(), -1);
  for (const int j : mechanism.topology().cutJoints) {
    const MechanismJoint& joint = mechanism.joints()[static_cast<std::size_t>(j)];
    ofJoint[static_cast<std::size_t>(j)] = add(joint.first, joint.second, joint.rows());
  }
  for (std::size_t k = 0; k < mechanism.forces().size(); ++k) {
    const ForceElement& force = *mechanism.forces()[k];
    if (!neighbours(mechanism, force.first(), force.second())) ofForce[k] = add(force.first(), force.second(), 12);
  }
  constexpr int mostForCoupling = 60;
  for (const int j : mechanism.topology().cutJoints) {
    const MechanismJoint& joint = mechanism.joints()[static_cast<std::size_t>(j)];
    if (joint.first < 0 || joint.second < 0 || !couples(joint) || unknowns + 12 > mostForCoupling) continue;
    if (!neighbours(mechanism, joint.first, joint.second))
      ofCoupling[static_cast<std::size_t>(j)] = add(joint.first, joint.second, 12);
  }
  return parts;
}

TreeSystem treeSystem(const Mechanism& mechanism, const std::vector<int>& nodeOf, std::vector<int>& borderOfJoint,
                      std::vector<int>& borderOfCoupling, std::vector<int>& borderOfForce) {
  const Topology& tree = mechanism.topology();
  std::vector<int> parent(nodeOf.size()), rows(nodeOf.size(), 0);
  for (std::size_t b = 0; b < nodeOf.size(); ++b) {
    const auto node = static_cast<std::size_t>(nodeOf[b]);
    parent[node] = tree.parent[b] < 0 ? -1 : nodeOf[static_cast<std::size_t>(tree.parent[b])];
    if (tree.parentJoint[b] >= 0) rows[node] = mechanism.joints()[static_cast<std::size_t>(tree.parentJoint[b])].rows();
  }
  return TreeSystem(std::move(parent), std::move(rows),
                    borderParts(mechanism, nodeOf, borderOfJoint, borderOfCoupling, borderOfForce));
}

/// Adds to a sum what it is increased by and what was lost before; `lost` is what this rounds off (Knuth's two-sum).
template <class Sum>
void addKeepingDigits(Sum& sum, const Sum& increment, Sum& lost) {
  const Sum add = increment + lost, before = sum;
  sum = before + add;
  const Sum added = sum - before;
  lost = (before - (sum - added)) + (add - added);
}

/// A small part of what makes D orthonormal again: enough for what little its increments take away, and too little to
/// stir its last digits in every step.
Matrix3 towardsOrthonormal(const Matrix3& D) {
  return 0.005 * D * (Matrix3::Identity() - D.transpose() * D);
}

Vector6 pair(const Vector3& a, const Vector3& b) {
  Vector6 v;
  v << a, b;
  return v;
}

}  // namespace

GeneralEngine::GeneralEngine(const Mechanism& mechanism, int sequences)
    : mechanism_(mechanism),
      size_(mechanismSize(mechanism)),
      nodeOf_(nodesOf(mechanism)),
      system_(treeSystem(mechanism, nodeOf_, borderOfJoint_, borderOfCoupling_, borderOfForce_)),
      loads_(mechanism.bodies().size()),
      memories_(static_cast<std::size_t>(sequences)),
      z_(VectorX::Zero(6 * static_cast<int>(mechanism.bodies().size()) + mechanism.rows())),
      end_(mechanism.bodies().size()) {
  for (Memory& memory : memories_)
    for (VectorX& past : memory.past) past = z_;
  limitBorderRanks();
}

/// Where the mechanism begins its joints hold, and rows of the border that depend on others do so to round-off; later,
/// between the iterations of a step, they need not.
void GeneralEngine::limitBorderRanks() {
  const MechanismState start{0.0, 0.0, initialMotion(mechanism_), VectorX::Zero(mechanism_.rows()),
                             std::vector<LostDigits>(end_.size())};
  assemble(start, 1e-3, Matrix::made);
  system_.border().limitRanks();
}

StepReport GeneralEngine::step(MechanismState& state, double h, int sequence) {
  Memory& memory = memories_[static_cast<std::size_t>(sequence)];
  state.lost.resize(state.bodies.size());
  const StepReport report = iterateFromPast(
      h, memory.known, contraction_, [&](double length) { predict(state, length, memory); },
      [&](double length) { return iterate(state, length); },
      [&](double ratio) { z_.head(6 * static_cast<int>(end_.size())) *= ratio; });
  if (report.converged) finish(state, h, memory);
  return report;
}

/// Extrapolates the increments of the last steps, where these were of the same length.
void GeneralEngine::predict(const MechanismState& state, double h, Memory& memory) {
  if (std::abs(h - memory.h) > 1e-9 * std::abs(h)) memory.known = 0;
  switch (memory.known) {
    case 0:
      return predictFromRates(state, h);
    case 1:
      z_ = memory.past[0];
      return;
    case 2:
      z_ = 2.0 * memory.past[0] - memory.past[1];
      return;
    default:
      z_ = 3.0 * (memory.past[0] - memory.past[1]) + memory.past[2];
  }
}

void GeneralEngine::predictFromRates(const MechanismState& state, double h) {
  int at = 0;
  for (const MovingPlacement& body : state.bodies) {
    z_.segment<3>(at) = h * body.rate.v;
    z_.segment<3>(at + 3) = h * turnRate(body);
    at += 6;
  }
  z_.tail(mechanism_.rows()) = state.multipliers;
}

/// Newton's method; stops when the next correction would be lost in the increments' roundings.
StepReport GeneralEngine::iterate(const MechanismState& state, double h) {
  constexpr double epsilon = std::numeric_limits<double>::epsilon(), stagnation = 1e-9;
  StepReport report;
  double before = 0.0;
  bool serves = false;
  while (report.iterations < mostIterations) {
    assemble(state, h, serves ? Matrix::kept : Matrix::made);
    system_.solve();
    const double now = correct();
    ++report.iterations;
    if (!serves) ++report.factorisations;
    report.residual = now;
    if (!std::isfinite(now)) return report;
    const double roundOff = 0.1 * epsilon * std::max(1e-6, largestIncrement());
    if (contraction_.suffices(now, before, roundOff) ||
        (report.iterations > 2 && now < stagnation && now > 0.7 * before)) {
      report.converged = true;
      break;
    }
    serves = Contraction::matrixServes(now, before);
    before = now;
  }
  // rows that depended on others only where the motion began
  if (report.converged && system_.border().leftOver() > 1e-5) system_.border().freeRanks();
  if (report.converged && system_.deficientNode() >= 0) {
    const int body = mechanism_.topology().order[static_cast<std::size_t>(system_.deficientNode())];
    throw SimulationError(state.time,
                          fmt::format("body '{}' is driven in a direction in which no inertia resists; give it a mass "
                                      "and an inertia, or hold it by a joint",
                                      mechanism_.bodies()[static_cast<std::size_t>(body)].name));
  }
  place(state);
  return report;
}

/// Where the step ends.
void GeneralEngine::place(const MechanismState& state) {
  for (std::size_t b = 0; b < end_.size(); ++b) {
    const Placement& at = state.bodies[b].at;
    const Vector3 dx = z_.segment<3>(6 * static_cast<int>(b)), c = z_.segment<3>(6 * static_cast<int>(b) + 3);
    end_[b] = {at.x + dx, cayleySO3(c) * at.D};
  }
}

/// The right-hand sides, and the matrix with its factors unless those of the last time serve.
void GeneralEngine::assemble(const MechanismState& state, double h, Matrix matrix) {
  place(state);
  if (matrix == Matrix::made)
    system_.clear();
  else
    system_.clearRight();
  for (std::size_t b = 0; b < end_.size(); ++b) assembleBody(state, b, h, matrix);
  for (std::size_t j = 0; j < mechanism_.joints().size(); ++j) assembleJoint(state, j, h, matrix);
  for (std::size_t k = 0; k < mechanism_.forces().size(); ++k) assembleForce(state, k, h, matrix);
  if (matrix == Matrix::made) system_.factorise();
}

void GeneralEngine::assembleBody(const MechanismState& state, std::size_t b, double h, Matrix matrix) {
  const MechanismBody& body = mechanism_.bodies()[b];
  const MovingPlacement& start = state.bodies[b];
  const BodyLoad& load = loads_[b];
  const Vector3 dx = z_.segment<3>(6 * static_cast<int>(b)), c = z_.segment<3>(6 * static_cast<int>(b) + 3);
  const Matrix3& D1 = end_[b].D;
  const Matrix3 Dm = 0.5 * (start.at.D + D1);
  const double rate = 2.0 / h;

  // The mass multiplies the difference: rounded products of it and the rate would change the velocity in every step alike.
  TreeNode& node = nodeOf(static_cast<int>(b));
  node.f -= pair(body.mass * (rate * dx - 2.0 * start.rate.v - h * mechanism_.gravity()) - h * load.force,
                 turningTorque(body.secondMoments, Dm, start.rate.W, c, h) -
                     h * ((Dm * load.point).cross(load.force) + load.torque));
  if (matrix == Matrix::kept) return;
  Matrix3 K = turningStiffness(body.secondMoments, Dm, start.rate.W, c, h);
  K += -0.5 * h * doubleCross(load.force, D1 * load.point);
  node.A.topLeftCorner<3, 3>().diagonal().array() += rate * body.mass;
  node.A.bottomRightCorner<3, 3>() += K;
}

/// Adds the wrenches (times h) of a pair of bodies to the right-hand sides.
void GeneralEngine::addWrenches(int first, int second, const ElementWrenches& w) {
  if (first >= 0) nodeOf(first).f += pair(w.first.force, w.first.torque);
  if (second >= 0) nodeOf(second).f += pair(w.second.force, w.second.torque);
}

/// Adds their derivative to the matrix. `border` is where the coupling of two bodies goes that are no neighbours:
/// s = C12 z_2 and C21 z_1 as unknowns of their own.
void GeneralEngine::addStiffness(int first, int second, const ElementJacobian& J, int border) {
  if (first >= 0) nodeOf(first).A -= J.topLeftCorner<6, 6>();
  if (second >= 0) nodeOf(second).A -= J.bottomRightCorner<6, 6>();
  if (first < 0 || second < 0) return;
  if (neighbours(mechanism_, first, second)) {
    const bool secondIsChild = parentOf(mechanism_, second) == first;
    TreeNode& child = nodeOf(secondIsChild ? second : first);
    if (!child.coupled) {
      child.C.setZero();
      child.P.setZero();
      child.coupled = true;
    }
    const auto firstBySecond = J.topRightCorner<6, 6>(), secondByFirst = J.bottomLeftCorner<6, 6>();
    child.C -= secondIsChild ? secondByFirst : firstBySecond;
    child.P -= secondIsChild ? firstBySecond : secondByFirst;
  } else if (border >= 0) {
    const int nodes[2] = {nodeOf_[static_cast<std::size_t>(first)], nodeOf_[static_cast<std::size_t>(second)]};
    for (int side = 0; side < 2; ++side)
      for (int i = 0; i < 6; ++i) {
        const int k = 6 * side + i, unknown = system_.firstUnknown(border) + k;
        system_.borderColumn(nodes[side], border, k)[i] = 1.0;
        system_.borderRow(nodes[1 - side], border, k) -= J.block<1, 6>(k, 6 * (1 - side)).transpose();
        system_.border().entry(unknown, unknown) = -1.0;
      }
  }
}

void GeneralEngine::assembleJoint(const MechanismState& state, std::size_t j, double h, Matrix matrix) {
  const MechanismJoint& joint = mechanism_.joints()[j];
  const MeanForm step = meanForm(state, joint.first, joint.second);
  const int multipliers = 6 * static_cast<int>(end_.size()) + joint.firstRow;
  const int border = borderOfJoint_[j];
  const int child = border >= 0 ? -1
                    : joint.second >= 0 && mechanism_.topology().parentJoint[static_cast<std::size_t>(joint.second)] ==
                                               static_cast<int>(j)
                        ? joint.second
                        : joint.first;
  ElementWrenches sum;
  ElementJacobian stiffness;
  if (matrix == Matrix::made) stiffness.setZero();
  for (int row = 0; row < joint.rows(); ++row) {
    const JointEquation& equation = joint.equations[static_cast<std::size_t>(row)];
    const double lambda = z_[multipliers + row];
    const Form form = equation.formAt(state.time + 0.5 * h), endForm = equation.formAt(state.time + h);
    const ElementWrenches w = step.wrenches(form);
    sum.first.force += h * lambda * w.first.force;
    sum.first.torque += h * lambda * w.first.torque;
    sum.second.force += h * lambda * w.second.force;
    sum.second.torque += h * lambda * w.second.torque;
    const double gap = endForm.value(step.first1, step.second1) - equation.offsetAt(state.time + h);
    if (child >= 0) {
      nodeOf(child).g[row] = -gap;
    } else {
      const int unknown = system_.firstUnknown(border) + row;
      system_.border().right(unknown) = -gap;
      system_.border().present(unknown) = lambda;
    }
    if (matrix == Matrix::kept) continue;

    // the gap at the end of the step, and the multiplier's force at the mean
    step.addStiffness(form, h * lambda, stiffness);
    const FormGradient end = endForm.gradient(step.first1, step.second1);
    const Vector6 gap1 = pair(end.first.onPosition, end.first.onRotation(step.first1.D));
    const Vector6 gap2 = pair(end.second.onPosition, end.second.onRotation(step.second1.D));
    const Vector6 force1 = -h * pair(w.first.force, w.first.torque),
                  force2 = -h * pair(w.second.force, w.second.torque);
    if (child >= 0) {
      TreeNode& node = nodeOf(child);
      const bool second = child == joint.second;
      node.G.row(row) = second ? gap2 : gap1;
      node.parentG.row(row) = second ? gap1 : gap2;
      node.H.row(row) = second ? force2 : force1;
      node.parentH.row(row) = second ? force1 : force2;
      continue;
    }
    for (const bool first : {true, false}) {
      const int body = first ? joint.first : joint.second;
      if (body < 0) continue;
      const int node = nodeOf_[static_cast<std::size_t>(body)];
      system_.borderRow(node, border, row) += first ? gap1 : gap2;
      system_.borderColumn(node, border, row) += first ? force1 : force2;
    }
  }
  addWrenches(joint.first, joint.second, sum);
  if (matrix == Matrix::made) addStiffness(joint.first, joint.second, stiffness, borderOfCoupling_[j]);
}

/// Two bodies over a step, seen from where one of them was: joints know no place in space, and keep their digits far from
/// its origin.
MeanForm GeneralEngine::meanForm(const MechanismState& state, int first, int second) const {
  const Vector3 origin = state.bodies[static_cast<std::size_t>(first >= 0 ? first : second)].at.x;
  const auto placements = [&](int body, Placement& at0, Placement& at1) {
    if (body < 0) {
      at0.x = at1.x = -origin;
      return;
    }
    const auto b = static_cast<std::size_t>(body);
    at0 = {(state.bodies[b].at.x - origin) + state.lost[b].x, state.bodies[b].at.D};
    at1 = {at0.x + z_.segment<3>(6 * body), end_[b].D};
  };
  MeanForm form;
  placements(first, form.first0, form.first1);
  placements(second, form.second0, form.second1);
  return form;
}

ElementStep GeneralEngine::elementStep(const MechanismState& state, int first, int second, double h) const {
  return {state.time,        state.time + h, placement0(state, first), placement1(first), placement0(state, second),
          placement1(second)};
}

void GeneralEngine::assembleForce(const MechanismState& state, std::size_t k, double h, Matrix matrix) {
  const ForceElement& force = *mechanism_.forces()[k];
  const ElementStep step = elementStep(state, force.first(), force.second(), h);
  ElementWrenches w = force.meanWrenches(step);
  for (Wrench* wrench : {&w.first, &w.second}) {
    wrench->force *= h;
    wrench->torque *= h;
  }
  addWrenches(force.first(), force.second(), w);
  if (matrix == Matrix::kept) return;
  ElementJacobian jacobian;
  force.meanWrenchesJacobian(step, jacobian);
  jacobian *= h;
  addStiffness(force.first(), force.second(), jacobian, borderOfForce_[k]);
}

double GeneralEngine::largestIncrement() const {
  double largest = 0.0;
  for (std::size_t b = 0; b < end_.size(); ++b) {
    const int at = 6 * static_cast<int>(b);
    largest = std::max({largest, z_.segment<3>(at).norm() / size_, z_.segment<3>(at + 3).norm()});
  }
  return largest;
}

/// Adds the corrections; how large the largest was, as an angle or relative to the size of the mechanism.
double GeneralEngine::correct() {
  double largest = 0.0;
  for (std::size_t b = 0; b < end_.size(); ++b) {
    const int at = 6 * static_cast<int>(b);
    const Vector6& z = nodeOf(static_cast<int>(b)).z;
    const Vector3 c = z_.segment<3>(at + 3);
    const Vector3 dc = cayleySpaceTangentInverse(c) * z.tail<3>();
    z_.segment<3>(at) += z.head<3>();
    z_.segment<3>(at + 3) += dc;
    const double change = std::max(z.head<3>().norm() / size_, dc.norm());
    if (!(change <= largest)) largest = change;
    const int j = mechanism_.topology().parentJoint[b];
    if (j < 0) continue;
    const MechanismJoint& joint = mechanism_.joints()[static_cast<std::size_t>(j)];
    z_.segment(6 * static_cast<int>(end_.size()) + joint.firstRow, joint.rows()) += nodeOf(static_cast<int>(b)).l;
  }
  for (const int j : mechanism_.topology().cutJoints) {
    const MechanismJoint& joint = mechanism_.joints()[static_cast<std::size_t>(j)];
    for (int row = 0; row < joint.rows(); ++row)
      z_[6 * static_cast<int>(end_.size()) + joint.firstRow + row] +=
          system_.border().solution(system_.firstUnknown(borderOfJoint_[static_cast<std::size_t>(j)]) + row);
  }
  return largest;
}

/// The work of a wrench over the step.
double GeneralEngine::along(int body, const Wrench& w) const {
  if (body < 0) return 0.0;
  return w.force.dot(z_.segment<3>(6 * body)) + w.torque.dot(z_.segment<3>(6 * body + 3));
}

/// That of the equations that follow a signal; the others do none.
double GeneralEngine::workOfDrives(const MechanismState& state, double h) const {
  const double* multiplier = z_.data() + 6 * end_.size();
  double work = 0.0;
  for (const MechanismJoint& joint : mechanism_.joints())
    for (const JointEquation& equation : joint.equations) {
      const double lambda = *multiplier++;
      if (!equation.drive) continue;
      const MeanForm step = meanForm(state, joint.first, joint.second);
      const ElementWrenches w = step.wrenches(equation.formAt(state.time + 0.5 * h));
      work += lambda * (along(joint.first, w.first) + along(joint.second, w.second));
    }
  return work;
}

double GeneralEngine::workOver(const MechanismState& state, double h) const {
  double work = 0.0;
  for (const auto& force : mechanism_.forces()) {
    if (force->conservative()) continue;
    const ElementStep step = elementStep(state, force->first(), force->second(), h);
    const ElementWrenches w = force->meanWrenches(step);
    work += along(force->first(), w.first) + along(force->second(), w.second) +
            force->potential(step.first1, step.second1) - force->potential(step.first0, step.second0);
  }
  if (mechanism_.isDriven()) work += workOfDrives(state, h);
  for (std::size_t b = 0; b < loads_.size(); ++b) {
    const Matrix3 Dm = 0.5 * (state.bodies[b].at.D + end_[b].D);
    work +=
        along(static_cast<int>(b), {loads_[b].force, (Dm * loads_[b].point).cross(loads_[b].force) + loads_[b].torque});
  }
  return work;
}

void GeneralEngine::finish(MechanismState& state, double h, Memory& memory) {
  state.work += workOver(state, h);
  const double rate = 2.0 / h;
  for (std::size_t b = 0; b < end_.size(); ++b) {
    MovingPlacement& body = state.bodies[b];
    const Vector3 dx = z_.segment<3>(6 * static_cast<int>(b)), c = z_.segment<3>(6 * static_cast<int>(b) + 3);
    // from the increments themselves, not from differences of rounded positions
    const Matrix3 Dm = 0.5 * (body.at.D + end_[b].D), turned = hat(c) * Dm;
    body.rate.v = rate * dx - body.rate.v;
    body.rate.W = rate * turned - body.rate.W;
    addKeepingDigits(body.at.x, dx, state.lost[b].x);
    addKeepingDigits(body.at.D, Matrix3(turned + towardsOrthonormal(end_[b].D)), state.lost[b].D);
  }
  state.multipliers = z_.tail(mechanism_.rows());
  state.time += h;

  memory.h = h;
  memory.past[2].swap(memory.past[1]);
  memory.past[1].swap(memory.past[0]);
  memory.past[0] = z_;
  memory.known = std::min(memory.known + 1, 3);
}

}  // namespace polhode
