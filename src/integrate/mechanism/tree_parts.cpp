#include "integrate/mechanism/tree_parts.h"

#include "math/index.h"

#include <algorithm>
#include <atomic>
#include <cmath>

namespace polhode {

namespace {

/// Whether inertia resists a turn about every axis of the body.
bool isThick(const MechanismBody& body) {
  return body.inertia.minCoeff() > 1e-9 * body.inertia.maxCoeff();
}

/// Whether the body's own inertia resists what its parent joint leaves free.
bool resistsTurning(const Mechanism& mechanism, std::size_t b, bool isHinge) {
  const MechanismBody& body = mechanism.bodies()[b];
  if (!isHinge || isThick(body)) return isThick(body);
  const MechanismJoint& joint = mechanism.joints()[static_cast<std::size_t>(mechanism.topology().parentJoint[b])];
  const JointFrame& frame = joint.second == static_cast<int>(b) ? joint.geometry.second : joint.geometry.first;
  const Vector3 axis = frame.axes.col(2);
  const double about = axis.dot(body.inertia.cwiseProduct(axis)) + body.mass * axis.cross(frame.point).squaredNorm();
  return about > 1e-3 * (body.inertia.maxCoeff() + body.mass * frame.point.squaredNorm());
}

}  // namespace

bool isTreeOfBallsAndHinges(const Mechanism& mechanism) {
  if (!mechanism.topology().cutJoints.empty() || !mechanism.forces().empty() || !hangsOnBallsAndHinges(mechanism))
    return false;
  return std::all_of(mechanism.bodies().begin(), mechanism.bodies().end(), isThick);
}

bool hangsOnBallsAndHinges(const Mechanism& mechanism) {
  const Topology& tree = mechanism.topology();
  const JointType *const ball = findJointType("spherical"), *const hinge = findJointType("revolute");
  for (std::size_t b = 0; b < mechanism.bodies().size(); ++b) {
    if (tree.parentJoint[b] < 0) return false;
    const JointType* type = mechanism.joints()[static_cast<std::size_t>(tree.parentJoint[b])].type;
    if (type != ball && type != hinge) return false;
    if (!resistsTurning(mechanism, b, type == hinge)) return false;
  }
  return !mechanism.bodies().empty();
}

std::vector<int> parentNodes(const Mechanism& mechanism) {
  const Topology& tree = mechanism.topology();
  const int ground = static_cast<int>(tree.order.size());
  std::vector<int> nodeOf(tree.order.size(), -1), parents;
  for (const int b : tree.order) {
    parents.push_back(tree.parent[at(b)] < 0 ? ground : nodeOf[at(tree.parent[at(b)])]);
    nodeOf[at(b)] = static_cast<int>(parents.size()) - 1;
  }
  return parents;
}

std::vector<int> nodesOf(const Mechanism& mechanism, const TreePieces& pieces) {
  std::vector<int> nodes(pieces.order.size());
  for (std::size_t i = 0; i < pieces.order.size(); ++i)
    nodes[at(mechanism.topology().order[at(pieces.order[i])])] = static_cast<int>(i);
  return nodes;
}

TreeParts<double> treeParts(const Mechanism& mechanism) {
  return treeParts(mechanism, TreePieces::whole(mechanism.bodies().size()));
}

TreeParts<double> treeParts(const Mechanism& mechanism, const TreePieces& pieces) {
  TreeParts<double> parts;
  auto& [links, hingeAxes, gravity, bodies] = parts;
  gravity = mechanism.gravity();
  bodies = initialMotion(mechanism);
  const Topology& tree = mechanism.topology();
  const int ground = static_cast<int>(tree.order.size());
  const std::vector<int> nodeOf = nodesOf(mechanism, pieces);
  for (const int node : pieces.order) {
    const int b = tree.order[at(node)];
    const auto body = static_cast<std::size_t>(b);
    const MechanismJoint& joint = mechanism.joints()[static_cast<std::size_t>(tree.parentJoint[body])];
    const bool second = joint.second == b;
    const JointFrame &own = second ? joint.geometry.second : joint.geometry.first,
                     &other = second ? joint.geometry.first : joint.geometry.second;
    TreeLink<double> link;
    link.arm = own.point;
    link.parentArm = other.point;
    link.secondMoments = mechanism.bodies()[body].secondMoments;
    link.mass = mechanism.bodies()[body].mass;
    link.body = b;
    link.parent = tree.parent[body] < 0 ? ground : nodeOf[static_cast<std::size_t>(tree.parent[body])];
    link.isHinge = joint.rows() == 5;
    link.joint = static_cast<int>(link.isHinge ? hingeAxes.size() : links.size() - hingeAxes.size());
    // the second body carries the axis: joints/parts.h, align
    if (link.isHinge)
      hingeAxes.push_back({joint.equations[3].form.b, {joint.equations[3].form.a, joint.equations[4].form.a}, second});
    links.push_back(link);
  }
  return parts;
}

const MechanismJoint& parentJointOf(const Mechanism& mechanism, const TreeLink<double>& link) {
  const int joint = mechanism.topology().parentJoint[static_cast<std::size_t>(link.body)];
  return mechanism.joints()[static_cast<std::size_t>(joint)];
}

namespace {

[[gnu::flatten]] double widestGap(const TreeKernel<double>& kernel, std::size_t begin, std::size_t end) {
  double widest = 0.0;
  for (std::size_t i = begin; i < end; ++i) {
    if (!kernel.link(i).isHinge) continue;
    const auto [first, second] = kernel.hingeGap(i);
    widest = largestOrNaN(widest, largestOrNaN(std::abs(first), std::abs(second)));
  }
  return widest;
}

}  // namespace

bool hingesClose(const Mechanism& mechanism, TreeKernel<double>& kernel, StepReport& report) {
  constexpr double closed = 1e-11;
  if (!kernel.hasHinges()) return true;
  std::atomic<bool> areClosed = true;
  kernel.eachPiece([&](const TreePieces::Piece& piece, std::size_t) {
    if (!(widestGap(kernel, piece.begin, piece.end) <= closed)) areClosed = false;
  });
  if (areClosed) return true;
  std::size_t i = 0;
  while (widestGap(kernel, i, i + 1) <= closed) ++i;
  report.openJoint = parentJointOf(mechanism, kernel.link(i)).name;
  report.gap = widestGap(kernel, i, i + 1);
  return false;
}

std::vector<double> numbersOf(TreeParts<double> parts) {
  std::vector<double> numbers;
  parts.visit([&](const double& each) { numbers.push_back(each); });
  return numbers;
}

}  // namespace polhode
