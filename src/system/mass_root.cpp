#include "system/mass_root.h"

#include "system/pivot.h"

#include <algorithm>
#include <cmath>

namespace polhode {

/// Applies one of the functions of pivot.h to what x says of a node; of a hinge, whose pivot is a number d, the factor
/// that `onHinge` makes of 1/sqrt(d).
template <class OnPivot, class OnHinge>
void MassRoot::atPivot(const ArticulatedBody& node, double* x, const OnPivot& onPivot, const OnHinge& onHinge) const {
  double* rates = x + node.firstRate;
  if (node.kind == TreeJointKind::ball) {
    Eigen::Map<Vector3> map(rates);
    onPivot(node.pivot, map);
  } else if (node.kind == TreeJointKind::hinge) {
    rates[0] *= onHinge(std::sqrt(node.inversePivot));
  } else {
    auto map = ratesAt(x, node);
    onPivot(tree_.spaceOf(node).pivot, map);
  }
}

void MassRoot::reduceWrenches(int firstBody, const Wrench& first, int secondBody, const Wrench& second, double* eps) {
  std::vector<ArticulatedBody>& nodes = tree_.nodes();
  const auto start = [&](int body) { return body == groundIndex ? -1 : tree_.nodeOf(body); };
  int i = start(firstBody), j = start(secondBody);
  for (const int end : {i, j})
    for (int k = end; k >= 0; k = nodes[static_cast<std::size_t>(k)].parent) {
      nodes[static_cast<std::size_t>(k)].f.setZero();
      nodes[static_cast<std::size_t>(k)].c.setZero();
    }
  const auto load = [&](int k, const Wrench& wrench) {
    if (k < 0) return;
    nodes[static_cast<std::size_t>(k)].f -= wrench.force;
    nodes[static_cast<std::size_t>(k)].c -= wrench.torque;
  };
  load(i, first);
  load(j, second);
  while (i >= 0 || j >= 0) {
    // Children stand behind their parents, so the one further behind is ready.
    const int k = std::max(i, j);
    ArticulatedBody& node = nodes[static_cast<std::size_t>(k)];
    tree_.reduceLoadAtRest(node, eps);
    atPivot(
        node, eps, [](const auto& m, auto& v) { pivot::solveRoot(m, v); },
        [](double inverseRoot) { return inverseRoot; });
    if (i == k) i = node.parent;
    if (j == k) j = node.parent;
  }
}

/// (S^T IA' S)^-1 U^T times the velocity of the parent at P: what K^T takes from it besides nu itself.
TreeJointSpace::Rates MassRoot::feltFromParent(const ArticulatedBody& node) const {
  const ArticulatedBody& parent = tree_.parentOf(node);
  const Vector3 point = parent.v + parent.w.cross(node.parentArm);
  if (node.kind == TreeJointKind::ball) return node.response * point;
  if (node.kind == TreeJointKind::hinge)
    return TreeJointSpace::Rates::Constant(1,
                                           node.inversePivot * (node.onForce.dot(point) + node.onTorque.dot(parent.w)));
  const TreeJointSpace& space = tree_.spaceOf(node);
  Vector<double, 6> base;
  base << point, parent.w;
  TreeJointSpace::Rates rates = space.U.transpose() * base;
  pivot::solve(space.pivot, rates);
  return rates;
}

void MassRoot::toEta(const double* nu, double* eta) {
  for (ArticulatedBody& node : tree_.nodes()) {
    tree_.setVelocity(node, nu);
    ratesAt(eta, node) = ratesAt(nu, node) + feltFromParent(node);
    atPivot(
        node, eta, [](const auto& m, auto& v) { pivot::multiplyRootTransposed(m, v); },
        [](double inverseRoot) { return 1.0 / inverseRoot; });
  }
}

void MassRoot::fromEta(const double* eta, double* nu) {
  for (ArticulatedBody& node : tree_.nodes()) {
    ratesAt(nu, node) = ratesAt(eta, node);
    atPivot(
        node, nu, [](const auto& m, auto& v) { pivot::solveRootTransposed(m, v); },
        [](double inverseRoot) { return inverseRoot; });
    ratesAt(nu, node) -= feltFromParent(node);
    tree_.setVelocity(node, nu);
  }
}

void MassRoot::addPivoted(const double* eps, double* u) const {
  VectorX change = Eigen::Map<const VectorX>(eps, tree_.rates());
  for (const ArticulatedBody& node : tree_.nodes())
    atPivot(
        node, change.data(), [](const auto& m, auto& v) { pivot::multiplyRoot(m, v); },
        [](double inverseRoot) { return 1.0 / inverseRoot; });
  Eigen::Map<VectorX>(u, tree_.rates()) += change;
}

}  // namespace polhode
