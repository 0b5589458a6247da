#pragma once

#include "polhode/model/placement.h"

#include <vector>

/// The graph of bodies (nodes) and joints (edges): a spanning tree rooted at the ground, and the joints that close
/// loops.
namespace polhode {

/// A joint as an edge between two bodies, numbered from 0, or the ground.
struct TopologyEdge {
  int first, second;
  bool spansTree;  // whether it may be an edge of the tree (a distance joint may not)
};

struct Topology {
  std::vector<int>
      parent;  // for each body: the body before it, groundIndex for one that hangs on the ground or is free
  std::vector<int> parentJoint;  // for each body: the joint that connects it with its parent, -1 for a free body
  std::vector<int> order;        // all bodies, each after its parent (Lipovac 2020, 1.4.1: by distance from the root)
  std::vector<int> cutJoints;    // the joints that are not edges of the tree: each closes a loop
};

/// The spanning tree by breadth-first search from the ground; where that makes many long loops, one with short loops
/// (short_loops.h).
Topology spanningTree(int bodies, const std::vector<TopologyEdge>& edges);

}  // namespace polhode
