#include "integrate/mechanism/engine_border.h"

#include "polhode/error.h"
#include "system/joint_row.h"

#include <algorithm>

#include <fmt/format.h>

namespace polhode {

namespace {

int parentOf(const Mechanism& mechanism, int body) {
  return mechanism.topology().parent[static_cast<std::size_t>(body)];
}

/// Whether a joint's force on one body depends on how the other one turns or moves.
bool couples(const MechanismJoint& joint) {
  return !joint.coupling &&
         std::any_of(joint.equations.begin(), joint.equations.end(),
                     [](const JointEquation& equation) { return equation.form.kind != FormKind::point; });
}

}  // namespace

bool neighbours(const Mechanism& mechanism, int a, int b) {
  return a == groundIndex || b == groundIndex || parentOf(mechanism, a) == b || parentOf(mechanism, b) == a;
}

std::vector<int> nodesOf(const Mechanism& mechanism) {
  const std::vector<int>& order = mechanism.topology().order;
  std::vector<int> nodes(order.size());
  for (std::size_t i = 0; i < order.size(); ++i) nodes[static_cast<std::size_t>(order[i])] = static_cast<int>(i);
  return nodes;
}

void throwUnresisted(const Mechanism& mechanism, int node, double time) {
  const int body = mechanism.topology().order[static_cast<std::size_t>(node)];
  throw SimulationError(time,
                        fmt::format("body '{}' is driven in a direction in which no inertia resists; give it a mass "
                                    "and an inertia, or hold it by a joint",
                                    mechanism.bodies()[static_cast<std::size_t>(body)].name));
}

EngineBorder::EngineBorder(const Mechanism& mechanism, const std::vector<int>& nodeOf)
    : ofJoint(mechanism.joints().size(), -1),
      ofCoupling(mechanism.joints().size(), -1),
      ofForce(mechanism.forces().size(), -1) {
  int unknowns = 0;
  for (const int j : mechanism.topology().cutJoints) {
    const MechanismJoint& joint = mechanism.joints()[static_cast<std::size_t>(j)];
    ofJoint[static_cast<std::size_t>(j)] = add(nodeOf, bodiesOf(joint), joint.rows());
    unknowns += joint.rows();
  }
  for (std::size_t k = 0; k < mechanism.forces().size(); ++k) {
    const ForceElement& force = *mechanism.forces()[k];
    if (neighbours(mechanism, force.first(), force.second())) continue;
    ofForce[k] = add(nodeOf, {force.first(), force.second()}, 12);
    unknowns += 12;
  }
  for (const int j : mechanism.topology().cutJoints) {
    const MechanismJoint& joint = mechanism.joints()[static_cast<std::size_t>(j)];
    if (unknowns + 12 > TreeSystem::usuallySmall) return;
    if (!couples(joint) || neighbours(mechanism, joint.first, joint.second)) continue;
    ofCoupling[static_cast<std::size_t>(j)] = add(nodeOf, {joint.first, joint.second}, 12);
    unknowns += 12;
  }
}

int EngineBorder::add(const std::vector<int>& nodeOf, const std::vector<int>& bodies, int size) {
  std::vector<int> nodes;
  for (const int body : bodies)
    if (body >= 0) nodes.push_back(nodeOf[static_cast<std::size_t>(body)]);
  parts.push_back({size, nodes});
  return static_cast<int>(parts.size()) - 1;
}

int EngineBorder::childOf(const Mechanism& mechanism, std::size_t j) const {
  if (ofJoint[j] >= 0) return -1;
  const MechanismJoint& joint = mechanism.joints()[j];
  const bool isSecond = joint.second >= 0 &&
                        mechanism.topology().parentJoint[static_cast<std::size_t>(joint.second)] == static_cast<int>(j);
  return isSecond ? joint.second : joint.first;
}

template <class Scalar>
TreeSystemOf<Scalar> treeSystem(const Mechanism& mechanism, const std::vector<int>& nodeOf,
                                const EngineBorder& border) {
  const Topology& tree = mechanism.topology();
  std::vector<int> parent(nodeOf.size()), rows(nodeOf.size(), 0);
  for (std::size_t b = 0; b < nodeOf.size(); ++b) {
    const auto node = static_cast<std::size_t>(nodeOf[b]);
    parent[node] = tree.parent[b] < 0 ? -1 : nodeOf[static_cast<std::size_t>(tree.parent[b])];
    if (tree.parentJoint[b] >= 0) rows[node] = mechanism.joints()[static_cast<std::size_t>(tree.parentJoint[b])].rows();
  }
  return TreeSystemOf<Scalar>(std::move(parent), std::move(rows), border.parts);
}

template TreeSystem treeSystem(const Mechanism&, const std::vector<int>&, const EngineBorder&);
template TreeSystemOf<std::complex<double>> treeSystem(const Mechanism&, const std::vector<int>&, const EngineBorder&);

}  // namespace polhode
