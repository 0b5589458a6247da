#include "model/topology.h"

#include "model/short_loops.h"

#include <limits>

namespace polhode {

namespace {

/// The usable edges at each node; node 0 is the ground and node b + 1 the body b. Edges of one node lie together.
struct Incidence {
  Incidence(int bodies, const std::vector<TopologyEdge>& edges, const std::vector<bool>& usable)
      : start(static_cast<std::size_t>(bodies) + 2, 0) {
    for (std::size_t j = 0; j < edges.size(); ++j)
      if (usable[j]) ++start[node(edges[j].first) + 1], ++start[node(edges[j].second) + 1];
    for (std::size_t i = 1; i < start.size(); ++i) start[i] += start[i - 1];
    edge.resize(start.back());
    std::vector<std::size_t> next(start.begin(), start.end() - 1);
    for (std::size_t j = 0; j < edges.size(); ++j)
      if (usable[j]) {
        edge[next[node(edges[j].first)]++] = static_cast<int>(j);
        edge[next[node(edges[j].second)]++] = static_cast<int>(j);
      }
  }

  static std::size_t node(int body) { return static_cast<std::size_t>(body + 1); }

  std::vector<std::size_t> start;
  std::vector<int> edge;
};

/// From the ground, then from the first body that is not reached, and so on, along usable edges.
Topology breadthFirstTree(int bodies, const std::vector<TopologyEdge>& edges, const std::vector<bool>& usable) {
  const Incidence incidence(bodies, edges, usable);
  const auto count = static_cast<std::size_t>(bodies);
  Topology tree{std::vector<int>(count, groundIndex), std::vector<int>(count, -1), {}, {}};
  tree.order.reserve(count);
  std::vector<bool> reached(count, false), used(edges.size(), false);

  const auto visit = [&](int from) {
    const std::size_t node = Incidence::node(from);
    for (std::size_t k = incidence.start[node]; k < incidence.start[node + 1]; ++k) {
      const int j = incidence.edge[k];
      const TopologyEdge& e = edges[static_cast<std::size_t>(j)];
      const int to = e.first == from ? e.second : e.first;
      if (to == groundIndex || reached[static_cast<std::size_t>(to)]) continue;
      reached[static_cast<std::size_t>(to)] = true;
      used[static_cast<std::size_t>(j)] = true;
      tree.parent[static_cast<std::size_t>(to)] = from;
      tree.parentJoint[static_cast<std::size_t>(to)] = j;
      tree.order.push_back(to);
    }
  };

  std::size_t next = 0;
  const auto visitAllReached = [&] {
    while (next < tree.order.size()) visit(tree.order[next++]);
  };
  visit(groundIndex);
  visitAllReached();
  for (int b = 0; b < bodies; ++b) {
    if (reached[static_cast<std::size_t>(b)]) continue;
    reached[static_cast<std::size_t>(b)] = true;
    tree.order.push_back(b);
    visitAllReached();
  }
  for (std::size_t j = 0; j < edges.size(); ++j)
    if (!used[j]) tree.cutJoints.push_back(static_cast<int>(j));
  return tree;
}

}  // namespace

Topology spanningTree(int bodies, const std::vector<TopologyEdge>& edges) {
  std::vector<bool> usable;
  for (const TopologyEdge& edge : edges) usable.push_back(edge.spansTree);
  Topology shallow = breadthFirstTree(bodies, edges, usable);
  if (shallow.cutJoints.size() < 2) return shallow;
  Topology shortLooped = breadthFirstTree(bodies, edges, shortLoopEdges(bodies, edges));
  const double enough = 2.0 * loopCost(shortLooped, edges, std::numeric_limits<double>::infinity());
  return loopCost(shallow, edges, enough) > enough ? shortLooped : shallow;
}

}  // namespace polhode
