#include "model/topology.h"

#include <gtest/gtest.h>

namespace polhode::topology_test {

TEST(Topology, HangsAChainOnTheGround) {
  const Topology tree = spanningTree(3, {{1, 2, true}, {0, 1, true}, {groundIndex, 0, true}});
  EXPECT_EQ(tree.parent, (std::vector<int>{groundIndex, 0, 1}));
  EXPECT_EQ(tree.parentJoint, (std::vector<int>{2, 1, 0}));
  EXPECT_EQ(tree.order, (std::vector<int>{0, 1, 2}));
  EXPECT_TRUE(tree.cutJoints.empty());
}

TEST(Topology, CutsALoopFarFromTheGround) {
  // ground - 0 - 1 - 2 - ground: both halves have the same depth
  const Topology tree = spanningTree(3, {{groundIndex, 0, true}, {0, 1, true}, {1, 2, true}, {2, groundIndex, true}});
  EXPECT_EQ(tree.parent[0], groundIndex);
  EXPECT_EQ(tree.parent[2], groundIndex);
  EXPECT_EQ(tree.cutJoints.size(), 1u);
}

TEST(Topology, NeverHangsABodyOnADistance) {
  const Topology tree = spanningTree(2, {{groundIndex, 0, false}, {0, 1, true}});
  EXPECT_EQ(tree.parentJoint[0], -1);
  EXPECT_EQ(tree.cutJoints, (std::vector<int>{0}));
}

TEST(Topology, TakesFreeBodiesAndHundredThousandOfThem) {
  std::vector<TopologyEdge> edges;
  for (int i = 0; i + 1 < 100000; ++i) edges.push_back({i + 1, i, true});
  const Topology tree = spanningTree(100000, edges);
  EXPECT_EQ(tree.parentJoint[0], -1);
  EXPECT_EQ(tree.parent[99999], 99998);
  EXPECT_EQ(tree.order.size(), 100000u);
}

}  // namespace polhode::topology_test
