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

/// The border has a part for each joint that closes a loop, one of two times six unknowns for each force between bodies
/// that are no neighbours, and, as long as the border is small, for each of these joints that couples its bodies. (Where
/// the border is large Newton's method does without this part of the Jacobian and converges linearly, but fast.)
struct EngineBorder {
  std::vector<BorderPart> parts;
  std::vector<int> ofJoint;     // the part of a joint that closes a loop, -1 for one of the tree
  std::vector<int> ofCoupling;  // of such a joint, for how its force depends on both bodies, or -1
  std::vector<int> ofForce;     // of a force between bodies that are no neighbours, else -1

  EngineBorder(const Mechanism& mechanism, const std::vector<int>& nodeOf);

 private:
  int add(const std::vector<int>& nodeOf, int first, int second, int size);
};

TreeSystem treeSystem(const Mechanism& mechanism, const std::vector<int>& nodeOf, const EngineBorder& border);

}  // namespace polhode
