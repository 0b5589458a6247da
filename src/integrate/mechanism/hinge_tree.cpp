#include "integrate/mechanism/hinge_tree.h"

#include "integrate/mechanism/turning_inertia.h"
#include "math/largest.h"

#include <cmath>
#include <limits>

namespace polhode {

namespace {

constexpr int mostTreeIterations = 12;

}  // namespace

bool HingeTree::fits(const Mechanism& mechanism) {
  const Topology& tree = mechanism.topology();
  if (!tree.cutJoints.empty() || !mechanism.forces().empty()) return false;
  const JointType *const ball = findJointType("spherical"), *const hinge = findJointType("revolute");
  for (std::size_t b = 0; b < mechanism.bodies().size(); ++b) {
    if (tree.parentJoint[b] < 0) return false;
    const JointType* type = mechanism.joints()[static_cast<std::size_t>(tree.parentJoint[b])].type;
    if (type != ball && type != hinge) return false;
    const Vector3& J = mechanism.bodies()[b].inertia;
    if (!(J.minCoeff() > 1e-9 * J.maxCoeff())) return false;
  }
  return !mechanism.bodies().empty();
}

HingeTree::HingeTree(const Mechanism& mechanism, int sequences) : mechanism_(mechanism), gravity_(mechanism.gravity()) {
  const Topology& tree = mechanism.topology();
  const int ground = static_cast<int>(tree.order.size());
  std::vector<int> nodeOf(tree.order.size(), -1);
  for (const int b : tree.order) {
    const auto body = static_cast<std::size_t>(b);
    const MechanismJoint& joint = mechanism.joints()[static_cast<std::size_t>(tree.parentJoint[body])];
    const bool second = joint.second == b;
    const JointFrame &own = second ? joint.geometry.second : joint.geometry.first,
                     &other = second ? joint.geometry.first : joint.geometry.second;
    Link link;
    link.arm = own.point;
    link.parentArm = other.point;
    link.secondMoments = mechanism.bodies()[body].secondMoments;
    link.mass = mechanism.bodies()[body].mass;
    link.body = b;
    link.parent = tree.parent[body] < 0 ? ground : nodeOf[static_cast<std::size_t>(tree.parent[body])];
    link.isHinge = joint.rows() == 5;
    link.joint = static_cast<int>(link.isHinge ? hinges_.size() : balls_.size());
    link.firstRow = joint.firstRow;
    link.sign = second ? 1.0 : -1.0;
    if (link.isHinge) {
      hinges_.emplace_back();
      // the second body carries the axis: joints/parts.h, align
      hingeAxes_.push_back({joint.equations[3].form.b, {joint.equations[3].form.a, joint.equations[4].form.a}, second});
    } else {
      balls_.emplace_back();
    }
    nodeOf[body] = static_cast<int>(links_.size());
    links_.push_back(link);
  }
  nodes_.resize(links_.size() + 1);
  const Vector3 zero = Vector3::Zero();
  nodes_.back() = {zero, zero, zero, Matrix3::Identity(), Matrix3::Identity(), zero, zero};
  allotBeyond();
  pasts_.resize(static_cast<std::size_t>(sequences));
  for (Past& past : pasts_)
    for (auto& c : past.c) c.assign(links_.size(), zero);
}

/// A sum is needed from the first child's elimination to that of the body itself, and can serve another body then: a
/// chain needs two, whatever its length. They are zero whenever nobody uses them.
void HingeTree::allotBeyond() {
  std::vector<int> of(nodes_.size(), -1), free;
  int count = 0;
  const auto allot = [&](int node) {
    int& mine = of[static_cast<std::size_t>(node)];
    if (mine >= 0) return;
    if (free.empty()) free.push_back(count++);
    mine = free.back();
    free.pop_back();
  };
  for (std::size_t i = links_.size(); i-- > 0;) {
    allot(static_cast<int>(i));
    allot(links_[i].parent);
    free.push_back(of[i]);
    links_[i].beyond = of[i];
    links_[i].parentBeyond = of[static_cast<std::size_t>(links_[i].parent)];
  }
  groundBeyond_ = of.back();
  beyond_.resize(static_cast<std::size_t>(count));
}

StepReport HingeTree::step(MechanismState& state, double h, int sequence) {
  Past& past = pasts_[static_cast<std::size_t>(sequence)];
  const auto stretch = [&](double ratio) {
    for (std::size_t i = 0; i < links_.size(); ++i) {
      nodes_[i].c *= ratio;
      place(links_[i], nodes_[i], state.bodies[static_cast<std::size_t>(links_[i].body)].at.D);
    }
  };
  const StepReport report = iterateFromPast(
      h, past.known, contraction_, [&](double length) { predict(state, length, past); },
      [&](double length) { return iterate(state, length); }, stretch);
  if (report.converged) finish(state, h, past);
  return report;
}

/// Extrapolates the turns of the last steps, up to cubically.
void HingeTree::predict(const MechanismState& state, double h, Past& past) {
  if (std::abs(h - past.h) > 1e-9 * std::abs(h)) past.known = 0;
  constexpr double weights[pastSteps + 1][pastSteps] = {
      {0, 0, 0, 0}, {1, 0, 0, 0}, {2, -1, 0, 0}, {3, -3, 1, 0}, {4, -6, 4, -1}};
  const double* w = weights[past.known];
  for (std::size_t i = 0; i < links_.size(); ++i) {
    const Link& link = links_[i];
    Node& node = nodes_[i];
    const MovingPlacement& body = state.bodies[static_cast<std::size_t>(link.body)];
    if (past.known == 0)
      node.c = h * turnRate(body);
    else
      node.c = w[0] * past.c[0][i] + w[1] * past.c[1][i] + w[2] * past.c[2][i] + w[3] * past.c[3][i];

    const Vector3 joint = body.at.D * link.arm;
    if (link.parent == ground()) {
      node.gap = (body.at.x - link.parentArm) + joint;
    } else {
      const Placement& parent =
          state.bodies[static_cast<std::size_t>(links_[static_cast<std::size_t>(link.parent)].body)].at;
      node.gap = (body.at.x - parent.x) + (joint - parent.D * link.parentArm);
    }
    place(link, node, body.at.D);
  }
}

/// Where a body is at the end of the step, when its parent has been placed.
void HingeTree::place(const Link& link, Node& node, const Matrix3& D0) {
  // D1 = cay(c) D0 and Dm = (D0 + D1)/2 = (I + c^/2 + c c^T/4)/(1 + c^2/4) D0
  const Vector3 half = 0.5 * node.c;
  const double s = 1.0 / (1.0 + half.squaredNorm());
  Matrix3 H = (s * half) * half.transpose();
  const Vector3 sh = s * half;
  H(0, 0) += s, H(1, 1) += s, H(2, 2) += s;
  H(0, 1) -= sh[2], H(0, 2) += sh[1], H(1, 0) += sh[2], H(1, 2) -= sh[0], H(2, 0) -= sh[1], H(2, 1) += sh[0];
  node.Dm = H.lazyProduct(D0);
  node.D1 = 2.0 * node.Dm - D0;
  const Node& parent = nodes_[static_cast<std::size_t>(link.parent)];
  node.dx = parent.dx + (parent.c.cross(parent.Dm * link.parentArm) - node.c.cross(node.Dm * link.arm)) - node.gap;
}

/// Newton's method; stops when the next correction would be lost in the increments' roundings.
StepReport HingeTree::iterate(const MechanismState& state, double h) {
  constexpr double roundOff = std::numeric_limits<double>::epsilon(), stagnation = 1e-13;
  StepReport report;
  double before = 0.0;
  bool serves = false;
  while (report.iterations < mostTreeIterations) {
    if (serves)
      inward<Matrix::kept>(state, h);
    else
      inward<Matrix::made>(state, h);
    const Correction correction = correct(state);
    const double now = correction.largest;
    ++report.iterations;
    if (!serves) ++report.factorisations;
    report.residual = now;
    if (!std::isfinite(now)) return report;
    const double target = roundOff * std::max(correction.largestTurn, 1e-6);
    if (contraction_.suffices(now, before, target) || (before > 0.0 && now < stagnation && now > 0.5 * before)) {
      report.converged = hingesClose(report);
      return report;
    }
    serves = Contraction::matrixServes(now, before);
    before = now;
  }
  return report;
}

HingeAxes HingeTree::hingeAxes(const Link& link, const Node& node, Matrix3 Node::*directors) const {
  const HingeAxes& fixed = hingeAxes_[static_cast<std::size_t>(link.joint)];
  const Matrix3 &body = node.*directors, &parent = nodes_[static_cast<std::size_t>(link.parent)].*directors;
  const Matrix3 &axis = fixed.bodyCarriesAxis ? body : parent, &normal = fixed.bodyCarriesAxis ? parent : body;
  return {axis * fixed.axis, {normal * fixed.normal[0], normal * fixed.normal[1]}, fixed.bodyCarriesAxis};
}

/// The force and the torque that a body asks of its parent joint, both times the step.
Remainder HingeTree::askedOfJoint(const Link& link, const Node& node, const MovingPlacement& start, double h) const {
  const Beyond& beyond = beyond_[static_cast<std::size_t>(link.beyond)];
  const Vector3 force = beyond.force + link.mass * (2.0 / h * node.dx - 2.0 * start.rate.v - h * gravity_);
  return {force, beyond.torque + (node.Dm * link.arm).cross(force) -
                     turningTorque(link.secondMoments, node.Dm, start.rate.W, node.c, h)};
}

/// What the hinge cannot give: the part along its axis.
Vector3 HingeTree::hingeResidual(const Link& link, const Node& node, const Vector3& asked) const {
  const HingeAxes& fixed = hingeAxes_[static_cast<std::size_t>(link.joint)];
  const Node& carrier = fixed.bodyCarriesAxis ? node : nodes_[static_cast<std::size_t>(link.parent)];
  const Vector3 axis = carrier.Dm * fixed.axis;
  return axis.dot(asked) / axis.squaredNorm() * axis;
}

/// The equations of all bodies, eliminated from the leaves to the root.
template <HingeTree::Matrix matrix>
void HingeTree::inward(const MechanismState& state, double h) {
  constexpr bool factorise = matrix == Matrix::made;
  for (std::size_t i = links_.size(); i-- > 0;) {
    const Link& link = links_[i];
    const Node &node = nodes_[i], &parentNode = nodes_[static_cast<std::size_t>(link.parent)];
    const MovingPlacement& start = state.bodies[static_cast<std::size_t>(link.body)];
    Beyond &beyond = beyond_[static_cast<std::size_t>(link.beyond)],
           &parent = beyond_[static_cast<std::size_t>(link.parentBeyond)];
    const auto [force, asked] = askedOfJoint(link, node, start, h);
    parent.force += force;
    parent.torque -= (parentNode.Dm * link.parentArm).cross(force);

    Levers levers;
    if constexpr (factorise) {
      levers = {node.D1 * link.arm, node.Dm * link.arm, parentNode.D1 * link.parentArm, parentNode.Dm * link.parentArm};
      beyond.matrix.tt += turningStiffness(link.secondMoments, node.Dm, start.rate.W, node.c, h);
      beyond.matrix.tt += -0.5 * doubleCross(force, levers.a);
      for (int k = 0; k < 3; ++k) beyond.matrix.xx(k, k) += 2.0 / h * link.mass;
      parent.matrix.tt += 0.5 * doubleCross(force, levers.b);
    }
    if (link.isHinge) {
      HingeElimination& hinge = hinges_[static_cast<std::size_t>(link.joint)];
      const HingeAxes end = hingeAxes(link, node, &Node::D1);
      if constexpr (factorise) {
        hinge.levers = levers;
        const HingeAxes mean = hingeAxes(link, node, &Node::Dm);
        const Articulated rest = hinge.factorise(beyond.matrix.seenFrom(levers.a, levers.aLeft), end, mean, asked);
        parent.matrix.addAtPoint(rest, levers.b, levers.bLeft);
      }
      const Vector3 residual = hingeResidual(link, node, asked);
      parent.torque += asked - residual;
      const Remainder rest =
          hinge.eliminate(beyond.onPlace, residual + beyond.onTurn - hinge.levers.aLeft.cross(beyond.onPlace), end);
      parent.onPlace += rest.force;
      parent.onTurn += rest.torque + hinge.levers.bLeft.cross(rest.force);
    } else {
      BallElimination& ball = balls_[static_cast<std::size_t>(link.joint)];
      if constexpr (factorise) {
        ball.levers = levers;
        const Matrix3 rest = ball.factorise(beyond.matrix.seenFrom(levers.a, levers.aLeft));
        parent.matrix.addAtPoint(rest, levers.b, levers.bLeft);
      }
      const Vector3 rest =
          ball.eliminate(beyond.onPlace, asked + beyond.onTurn - ball.levers.aLeft.cross(beyond.onPlace));
      parent.onPlace += rest;
      parent.onTurn += ball.levers.bLeft.cross(rest);
    }
    beyond.clear(factorise);
  }
  beyond_[static_cast<std::size_t>(groundBeyond_)].clear(factorise);
}

/// Back from the root to the leaves: corrects the turns and places the bodies anew.
HingeTree::Correction HingeTree::correct(const MechanismState& state) {
  double largest = 0.0, largestTurn = 0.0;
  for (std::size_t i = 0; i < links_.size(); ++i) {
    const Link& link = links_[i];
    Node& node = nodes_[i];
    const Node& parent = nodes_[static_cast<std::size_t>(link.parent)];
    const auto joint = static_cast<std::size_t>(link.joint);
    const Levers& levers = link.isHinge ? hinges_[joint].levers : balls_[joint].levers;
    const Vector3 point = parent.motion - levers.b.cross(parent.turn);
    node.turn = link.isHinge ? hinges_[joint].turn(point, parent.turn) : balls_[joint].turn(point);
    node.motion = point + levers.a.cross(node.turn);
    // dc = C^-1 turn
    const Vector3 dc = node.turn - 0.5 * node.c.cross(node.turn) + (0.25 * node.c.dot(node.turn)) * node.c;
    node.c += dc;
    const double change = dc.squaredNorm();
    largest = largestOrNaN(largest, change);
    largestTurn = std::max(largestTurn, node.c.squaredNorm());
    place(link, node, state.bodies[static_cast<std::size_t>(link.body)].at.D);
  }
  return {std::sqrt(largest), std::sqrt(largestTurn)};
}

bool HingeTree::hingesClose(StepReport& report) const {
  constexpr double closed = 1e-11;
  if (hinges_.empty()) return true;
  for (std::size_t i = 0; i < links_.size(); ++i) {
    const Link& link = links_[i];
    if (!link.isHinge) continue;
    const HingeAxes end = hingeAxes(link, nodes_[i], &Node::D1);
    for (const Vector3& normal : end.normal) {
      const double angle = std::abs(end.axis.dot(normal));
      if (angle <= closed) continue;
      const int joint = mechanism_.topology().parentJoint[static_cast<std::size_t>(link.body)];
      report.openJoint = mechanism_.joints()[static_cast<std::size_t>(joint)].name;
      report.gap = angle;
      report.doubtful = true;
      return false;
    }
  }
  return true;
}

/// The forces of the joints for the increments as they are now, and the state at the end of the step.
void HingeTree::finish(MechanismState& state, double h, Past& past) {
  const double rate = 2.0 / h;
  past.h = h;
  for (int k = pastSteps - 1; k > 0; --k) past.c[k].swap(past.c[k - 1]);
  past.known = std::min(past.known + 1, pastSteps);
  for (std::size_t i = links_.size(); i-- > 0;) {
    const Link& link = links_[i];
    const Node &node = nodes_[i], &parentNode = nodes_[static_cast<std::size_t>(link.parent)];
    MovingPlacement& body = state.bodies[static_cast<std::size_t>(link.body)];
    Beyond& parent = beyond_[static_cast<std::size_t>(link.parentBeyond)];
    const auto [force, asked] = askedOfJoint(link, node, body, h);
    beyond_[static_cast<std::size_t>(link.beyond)].clear(false);
    parent.force += force;
    parent.torque -= (parentNode.Dm * link.parentArm).cross(force);
    for (int k = 0; k < 3; ++k) state.multipliers[link.firstRow + k] = link.sign / h * force[k];
    if (link.isHinge) {
      parent.torque += asked - hingeResidual(link, node, asked);
      const HingeDuals duals(hingeAxes(link, node, &Node::Dm));
      for (int k = 0; k < 2; ++k) state.multipliers[link.firstRow + 3 + k] = -duals.s[k].dot(asked) / h;
    }

    past.c[0][i] = node.c;
    body.rate.v = rate * node.dx - body.rate.v;
    body.rate.W = crossed(Vector3(rate * node.c), node.Dm) - body.rate.W;
    body.at.x += node.dx;
    Matrix3 square = -0.5 * node.D1.transpose().lazyProduct(node.D1);
    square(0, 0) += 1.5, square(1, 1) += 1.5, square(2, 2) += 1.5;
    body.at.D = node.D1.lazyProduct(square);
  }
  beyond_[static_cast<std::size_t>(groundBeyond_)].clear(false);
  state.time += h;
}

}  // namespace polhode
