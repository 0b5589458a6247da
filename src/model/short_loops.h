#pragma once

#include "model/topology.h"

#include <vector>

/// Spanning trees whose loops are short. What eliminating loops along a tree costs depends on how many pass each body: on a
/// ladder whose rails both hang on the ground, breadth-first search makes two long branches, and every rung closes a loop
/// all the way down to the ground; a tree of one rail, the rungs and the pieces of the other rail has short loops only.
namespace polhode {

/// The edges of such a tree. Bodies are gathered into clusters, and clusters into larger ones: in each round the ground's
/// cluster, then those with the fewest neighbours, take all neighbours that have not been taken. Most joints then lie within
/// small clusters, where the way between their bodies is short.
///
/// Reference: Alon, Karp, Peleg & West 1995, A graph-theoretic game and its application to the k-server problem, SIAM
/// Journal on Computing 24, 78-100 (trees of low stretch).
std::vector<bool> shortLoopEdges(int bodies, const std::vector<TopologyEdge>& edges);

/// The sum over all bodies of the square of how many loops pass it; as soon as it is beyond `limit`, what it is so far.
double loopCost(const Topology& tree, const std::vector<TopologyEdge>& edges, double limit);

}  // namespace polhode
