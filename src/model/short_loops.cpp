#include "model/short_loops.h"

#include "math/index.h"
#include "model/tree_paths.h"

#include <algorithm>
#include <numeric>
#include <tuple>

namespace polhode {

namespace {

/// An edge between two clusters, seen from one of them.
struct Link {
  int from, to, edge;
};

/// The links of all clusters, those of a cluster together, one for each pair of clusters.
std::vector<Link> linksBetween(const std::vector<int>& clusterOf, const std::vector<TopologyEdge>& edges) {
  std::vector<Link> links;
  for (std::size_t j = 0; j < edges.size(); ++j) {
    if (!edges[j].spansTree) continue;
    const int a = clusterOf[at(edges[j].first + 1)], b = clusterOf[at(edges[j].second + 1)];
    if (a == b) continue;
    links.push_back({a, b, static_cast<int>(j)});
    links.push_back({b, a, static_cast<int>(j)});
  }
  const auto key = [](const Link& l) { return std::tuple(l.from, l.to, l.edge); };
  std::sort(links.begin(), links.end(), [&](const Link& a, const Link& b) { return key(a) < key(b); });
  const auto samePair = [](const Link& a, const Link& b) { return a.from == b.from && a.to == b.to; };
  links.erase(std::unique(links.begin(), links.end(), samePair), links.end());
  return links;
}

/// A cluster's links within those of all.
struct Neighbourhood {
  std::size_t begin, end;
};

std::vector<Neighbourhood> neighbourhoods(const std::vector<Link>& links) {
  std::vector<Neighbourhood> all;
  for (std::size_t i = 0; i < links.size(); ++i) {
    if (i == 0 || links[i].from != links[i - 1].from) all.push_back({i, i});
    all.back().end = i + 1;
  }
  return all;
}

}  // namespace

std::vector<bool> shortLoopEdges(int bodies, const std::vector<TopologyEdge>& edges) {
  std::vector<bool> chosen(edges.size(), false);
  std::vector<int> clusterOf(at(bodies) + 1);  // of the ground and all bodies
  std::iota(clusterOf.begin(), clusterOf.end(), 0);
  constexpr int nobody = -1;
  std::vector<int> takenBy(clusterOf.size());
  for (;;) {
    const std::vector<Link> links = linksBetween(clusterOf, edges);
    if (links.empty()) return chosen;
    std::vector<Neighbourhood> clusters = neighbourhoods(links);
    const auto rank = [&](const Neighbourhood& n) {
      return std::tuple(links[n.begin].from != clusterOf[0], n.end - n.begin, n.begin);
    };
    std::sort(clusters.begin(), clusters.end(),
              [&](const Neighbourhood& a, const Neighbourhood& b) { return rank(a) < rank(b); });

    std::fill(takenBy.begin(), takenBy.end(), nobody);
    for (const Neighbourhood& cluster : clusters) {
      const int centre = links[cluster.begin].from;
      if (takenBy[at(centre)] != nobody) continue;
      for (std::size_t i = cluster.begin; i < cluster.end; ++i) {
        int& owner = takenBy[at(links[i].to)];
        if (owner != nobody) continue;
        owner = takenBy[at(centre)] = centre;
        chosen[at(links[i].edge)] = true;
      }
    }
    for (int& cluster : clusterOf)
      if (takenBy[at(cluster)] != nobody) cluster = takenBy[at(cluster)];
  }
}

double loopCost(const Topology& tree, const std::vector<TopologyEdge>& edges, double limit) {
  const TreePaths paths(tree);
  std::vector<int> loops(tree.parent.size(), 0);
  double cost = 0.0;
  const auto pass = [&](int body) { cost += 2.0 * loops[at(body)]++ + 1.0; };
  for (const int joint : tree.cutJoints) {
    const int home = paths.meeting(edges[at(joint)].first, edges[at(joint)].second, pass);
    if (home != groundIndex) pass(home);
    if (cost > limit) break;
  }
  return cost;
}

}  // namespace polhode
