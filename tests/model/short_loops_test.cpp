#include "model/short_loops.h"

#include <algorithm>
#include <limits>

#include <gtest/gtest.h>

namespace polhode::short_loops_test {
namespace {

constexpr double noLimit = std::numeric_limits<double>::infinity();

/// Two rails that hang on the ground, of `count` pieces each, with a rung behind every pair of them.
std::vector<TopologyEdge> ladder(int count) {
  std::vector<TopologyEdge> edges;
  for (int i = 0; i < count; ++i) {
    const int left = 3 * i, right = 3 * i + 1, rung = 3 * i + 2;
    edges.push_back({i == 0 ? groundIndex : left - 3, left, true});
    edges.push_back({i == 0 ? groundIndex : right - 3, right, true});
    edges.push_back({left, rung, true});
    edges.push_back({rung, right, true});
  }
  return edges;
}

/// Cranks on the ground, and a coupler between each and the next.
std::vector<TopologyEdge> fourBars(int count) {
  std::vector<TopologyEdge> edges;
  for (int i = 0; i <= count; ++i) edges.push_back({groundIndex, i, true});
  for (int i = 0; i < count; ++i) {
    edges.push_back({i, count + 1 + i, true});
    edges.push_back({count + 1 + i, i + 1, true});
  }
  return edges;
}

void expectTree(const Topology& tree, int bodies, const std::vector<TopologyEdge>& edges) {
  ASSERT_EQ(tree.order.size(), static_cast<std::size_t>(bodies));
  std::vector<bool> seen(tree.order.size(), false);
  for (const int body : tree.order) {
    const auto b = static_cast<std::size_t>(body);
    const int parent = tree.parent[b];
    EXPECT_TRUE(parent == groundIndex || seen[static_cast<std::size_t>(parent)]) << body;
    seen[b] = true;
    if (tree.parentJoint[b] < 0) continue;
    const TopologyEdge& joint = edges[static_cast<std::size_t>(tree.parentJoint[b])];
    EXPECT_EQ(std::minmax(joint.first, joint.second), std::minmax(parent, body));
    EXPECT_TRUE(joint.spansTree);
  }
  EXPECT_EQ(
      tree.cutJoints.size() + static_cast<std::size_t>(std::count_if(tree.parentJoint.begin(), tree.parentJoint.end(),
                                                                     [](int j) { return j >= 0; })),
      edges.size());
}

TEST(ShortLoops, OfALadderAreAsShortAsItsMeshes) {
  for (const int count : {8, 100, 1000}) {
    const std::vector<TopologyEdge> edges = ladder(count);
    const Topology tree = spanningTree(3 * count, edges);
    expectTree(tree, 3 * count, edges);
    EXPECT_EQ(tree.cutJoints.size(), static_cast<std::size_t>(count));
    EXPECT_LT(loopCost(tree, edges, noLimit), 6.0 * 3 * count) << count;  // two or three loops pass a body
  }
}

TEST(ShortLoops, LeaveATreeAloneThatHasThem) {
  const int count = 64;
  const std::vector<TopologyEdge> edges = fourBars(count);
  const Topology tree = spanningTree(2 * count + 1, edges);
  expectTree(tree, 2 * count + 1, edges);
  for (int crank = 0; crank <= count; ++crank) EXPECT_EQ(tree.parent[static_cast<std::size_t>(crank)], groundIndex);
}

TEST(ShortLoops, NeverRunAlongADistance) {
  std::vector<TopologyEdge> edges = ladder(50);
  for (std::size_t rung = 3; rung < edges.size(); rung += 4) edges[rung].spansTree = false;
  const Topology tree = spanningTree(150, edges);
  expectTree(tree, 150, edges);
}

TEST(ShortLoops, ReachEveryPartOfWhatHangsNowhere) {
  // two ladders in space, away from the ground and from each other
  std::vector<TopologyEdge> edges;
  for (const int first : {0, 60})
    for (const TopologyEdge& edge : ladder(20))
      if (edge.first != groundIndex) edges.push_back({edge.first + first, edge.second + first, true});
  const Topology tree = spanningTree(120, edges);
  expectTree(tree, 120, edges);
  EXPECT_EQ(std::count(tree.parentJoint.begin(), tree.parentJoint.end(), -1), 2);
}

TEST(LoopCost, IsTheSumOfSquares) {
  // ground - 0 - 1 - 2 - 3, and joints 3-1 and 3-ground beside
  const std::vector<TopologyEdge> edges = {{groundIndex, 0, true}, {0, 1, true},  {1, 2, true},
                                           {2, 3, true},           {3, 1, false}, {3, groundIndex, false}};
  const Topology tree = spanningTree(4, edges);
  EXPECT_EQ(loopCost(tree, edges, noLimit), 1.0 + 4.0 + 4.0 + 4.0);
  EXPECT_GT(loopCost(tree, edges, 2.0), 2.0);
}

}  // namespace
}  // namespace polhode::short_loops_test
