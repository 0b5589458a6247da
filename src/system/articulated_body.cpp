#include "system/articulated_body.h"

#include <algorithm>

namespace polhode {

namespace {

bool isBall(const JointType& type) {
  return type.motions.size() == 3 && std::all_of(type.motions.begin(), type.motions.end(),
                                                 [](const JointMotion& m) { return m.kind == MotionKind::rotation; });
}

bool isHinge(const JointType& type) {
  return type.motions.size() == 1 && type.motions[0].kind == MotionKind::rotation && !type.motions[0].fixedInSecond;
}

void hangOn(const MechanismJoint& joint, ArticulatedBody& node) {
  const auto& motions = joint.type->motions;
  node.reversed = joint.first == node.body;
  node.pointInBody = (node.reversed ? joint.geometry.first : joint.geometry.second).point;
  node.pointInParent = (node.reversed ? joint.geometry.second : joint.geometry.first).point;
  node.pointSlides = std::any_of(motions.begin(), motions.end(),
                                 [](const JointMotion& m) { return m.kind == MotionKind::translation; });
  node.kind = isBall(*joint.type)    ? TreeJointKind::ball
              : isHinge(*joint.type) ? TreeJointKind::hinge
                                     : TreeJointKind::other;
  node.rates = static_cast<int>(motions.size());
  if (node.kind == TreeJointKind::hinge) node.hingeAxis = joint.geometry.first.axes.col(motions[0].axis);
}

}  // namespace

std::vector<ArticulatedBody> articulatedBodies(const Mechanism& mechanism) {
  const Topology& tree = mechanism.topology();
  std::vector<ArticulatedBody> nodes;
  nodes.reserve(tree.order.size());
  std::vector<int> nodeOf(tree.order.size());
  int rates = 0, spaces = 0;
  for (const int b : tree.order) {
    const auto index = static_cast<std::size_t>(b);
    const MechanismBody& body = mechanism.bodies()[index];
    const int parent = tree.parent[index];
    ArticulatedBody node;
    node.body = b;
    node.parent = parent == groundIndex ? -1 : nodeOf[static_cast<std::size_t>(parent)];
    node.joint = tree.parentJoint[index];
    node.mass = body.mass;
    node.inertia = body.inertia;
    node.x = body.placement.x;
    node.D = body.placement.D;
    if (node.joint >= 0) hangOn(mechanism.joints()[static_cast<std::size_t>(node.joint)], node);
    if (node.kind == TreeJointKind::other || node.kind == TreeJointKind::free) node.space = spaces++;
    node.firstRate = rates;
    rates += node.rates;
    nodeOf[index] = static_cast<int>(nodes.size());
    nodes.push_back(node);
  }
  return nodes;
}

}  // namespace polhode
