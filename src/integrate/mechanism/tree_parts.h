#pragma once

#include "integrate/mechanism/tree_kernel.h"
#include "integrate/step_report.h"
#include "system/mechanism_observation.h"

#include <utility>
#include <vector>

namespace polhode {

/// What tree_kernel.h wants to know of a mechanism that is a tree of ball joints and hinges, and how it starts.
template <class T>
struct TreeParts {
  std::vector<TreeLink<T>> links;  // from the root outwards
  std::vector<HingeAxes<T>> hingeAxes;
  Vector<T, 3> gravity;
  std::vector<MotionOver<T>> bodies;

  /// Calls with every number of these parts, always in the same order.
  template <class Visit>
  void visit(const Visit& visit) {
    const auto all = [&](auto& vectorOrMatrix) {
      for (T& each : vectorOrMatrix.reshaped()) visit(each);
    };
    for (TreeLink<T>& link : links) {
      for (auto* each : {&link.arm, &link.parentArm, &link.secondMoments}) all(*each);
      visit(link.mass);
    }
    for (HingeAxes<T>& hinge : hingeAxes)
      for (auto* each : {&hinge.axis, &hinge.normal[0], &hinge.normal[1]}) all(*each);
    all(gravity);
    for (auto& body : bodies) {
      for (auto* each : {&body.at.x, &body.rate.v}) all(*each);
      for (auto* each : {&body.at.D, &body.rate.W}) all(*each);
    }
  }

  TreeKernel<T> kernel() const { return kernel(TreePieces::whole(links.size())); }
  TreeKernel<T> kernel(const TreePieces& pieces) const { return {links, hingeAxes, gravity, pieces}; }
};

/// Whether the mechanism is such a tree: it hangs on the ground, and nothing acts but its weight.
bool isTreeOfBallsAndHinges(const Mechanism& mechanism);

/// Whether its spanning tree is: there may be more joints, and forces.
bool hangsOnBallsAndHinges(const Mechanism& mechanism);

/// Of a mechanism whose spanning tree is; in the order of its tree, or of the pieces of that.
TreeParts<double> treeParts(const Mechanism& mechanism);
TreeParts<double> treeParts(const Mechanism& mechanism, const TreePieces& pieces);

/// The node of each body's parent, with nodes in the order of the tree; the ground is behind the last one.
std::vector<int> parentNodes(const Mechanism& mechanism);

/// The node of each body in that order.
std::vector<int> nodesOf(const Mechanism& mechanism, const TreePieces& pieces);

/// The joint that holds a body.
const MechanismJoint& parentJointOf(const Mechanism& mechanism, const TreeLink<double>& link);

/// Whether the axes of all hinges are closed where the step ends; otherwise the report says which one is not.
bool hingesClose(const Mechanism& mechanism, TreeKernel<double>& kernel, StepReport& report);

/// All numbers of the parts, in their order.
std::vector<double> numbersOf(TreeParts<double> parts);

/// Parts of the same structure with `number(k)` in the place of number k.
template <class T, class Number>
TreeParts<T> partsWith(const TreeParts<double>& structure, const Number& number) {
  TreeParts<T> parts;
  for (const TreeLink<double>& link : structure.links) {
    TreeLink<T>& own = parts.links.emplace_back();
    own.body = link.body, own.parent = link.parent, own.isHinge = link.isHinge, own.joint = link.joint;
  }
  for (const HingeAxes<double>& axes : structure.hingeAxes)
    parts.hingeAxes.emplace_back().bodyCarriesAxis = axes.bodyCarriesAxis;
  parts.bodies.resize(structure.bodies.size());
  std::size_t k = 0;
  parts.visit([&](T& each) { each = number(k++); });
  return parts;
}

}  // namespace polhode
