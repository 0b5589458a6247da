#pragma once

#include "math/tree_system.h"
#include "system/mechanism.h"

#include <vector>

/// Where the parts of a mechanism stand in the linear systems of the general engine.
namespace polhode {

/// Whether two bodies are neighbours in the spanning tree, or one is the ground.
bool neighbours(const Mechanism& mechanism, int a, int b);

/// The node of each body: its place in the order of the tree.
std::vector<int> nodesOf(const Mechanism& mechanism);

/// Where the matrix of a node is singular although something pulls there.
[[noreturn]] void throwUnresisted(const Mechanism& mechanism, int node, double time);

/// The border has a part for each joint that closes a loop, one of two times six unknowns for each force between bodies
/// that are no neighbours, and, as long as the border is small, for each of these joints that couples its bodies. (Where
/// the border is large Newton's method does without this part of the Jacobian and converges linearly, but fast.)
struct EngineBorder {
  std::vector<BorderPart> parts;
  std::vector<int> ofJoint;     // the part of a joint that closes a loop, -1 for one of the tree
  std::vector<int> ofCoupling;  // of such a joint, for how its force depends on both bodies, or -1
  std::vector<int> ofForce;     // of a force between bodies that are no neighbours, else -1

  EngineBorder(const Mechanism& mechanism, const std::vector<int>& nodeOf);

  /// The body that a joint of the tree holds; -1 where it closes a loop.
  int childOf(const Mechanism& mechanism, std::size_t joint) const;

 private:
  int add(const std::vector<int>& nodeOf, const std::vector<int>& bodies, int size);
};

template <class Scalar>
TreeSystemOf<Scalar> treeSystem(const Mechanism& mechanism, const std::vector<int>& nodeOf, const EngineBorder& border);

/// Subtracts from the matrix how the wrenches of a pair of bodies change with their unknowns. `border` is where the coupling
/// of two bodies goes that are no neighbours: s = C12 z_2 and C21 z_1 as unknowns of their own.
template <class Scalar>
void addStiffness(const Mechanism& mechanism, const std::vector<int>& nodeOf, TreeSystemOf<Scalar>& system, int first,
                  int second, const Eigen::Matrix<Scalar, 12, 12>& J, int border) {
  const auto at = [&](int body) { return nodeOf[static_cast<std::size_t>(body)]; };
  if (first >= 0) system.node(at(first)).A -= J.template topLeftCorner<6, 6>();
  if (second >= 0) system.node(at(second)).A -= J.template bottomRightCorner<6, 6>();
  if (first < 0 || second < 0) return;
  if (neighbours(mechanism, first, second)) {
    const bool secondIsChild = mechanism.topology().parent[static_cast<std::size_t>(second)] == first;
    TreeNodeOf<Scalar>& child = system.node(at(secondIsChild ? second : first));
    if (!child.coupled) {
      child.C.setZero();
      child.P.setZero();
      child.coupled = true;
    }
    const auto firstBySecond = J.template topRightCorner<6, 6>(), secondByFirst = J.template bottomLeftCorner<6, 6>();
    if (secondIsChild) {
      child.C -= secondByFirst;
      child.P -= firstBySecond;
    } else {
      child.C -= firstBySecond;
      child.P -= secondByFirst;
    }
  } else if (border >= 0) {
    const int nodes[2] = {at(first), at(second)};
    for (int side = 0; side < 2; ++side)
      for (int i = 0; i < 6; ++i) {
        const int k = 6 * side + i, unknown = system.firstUnknown(border) + k;
        system.borderColumn(nodes[side], border, k)[i] = 1.0;
        system.borderRow(nodes[1 - side], border, k) -= J.template block<1, 6>(k, 6 * (1 - side)).transpose();
        system.border().entry(unknown, unknown) = -1.0;
      }
  }
}

}  // namespace polhode
