#include "integrate/mechanism/stage_tree.h"

#include "integrate/mechanism/engine_border.h"
#include "support/mechanisms.h"

#include <random>

#include <gtest/gtest.h>

namespace polhode::stage_tree_test {
namespace {

/// The same system, all of it, in one lane: unknown are z of all nodes, then l of all nodes, then the border's.
struct DenseSystem {
  MatrixX matrix;
  VectorX right, solution;
};

using Lane = StageTree::Lane;

class Numbers {
 public:
  Lane lane() {
    double each[StageTree::lanes];
    for (double& one : each) one = number_(random_);
    return Lane::from(each);
  }

 private:
  std::mt19937 random_{11};
  std::uniform_real_distribution<double> number_{-1.0, 1.0};
};

}  // namespace

// A tree with joints of one to six rows and a free body, with two loops that two and three rows close: any symmetric inertia that
// resists, any rows.
TEST(StageTree, SolvesWhatADenseMatrixDoes) {
  const Mechanism mechanism(test::jointZoo());
  const std::vector<int> nodeOf = nodesOf(mechanism);
  const int bodies = static_cast<int>(nodeOf.size()), last = bodies - 1;
  const std::vector<BorderPart> border = {{2, {last}}, {3, {last - 1, 1}}};
  StageTree tree(mechanism, nodeOf, border);
  Numbers number;

  std::vector<int> firstRow(nodeOf.size() + 1, 6 * bodies);
  for (int b = 0; b < bodies; ++b)
    firstRow[static_cast<std::size_t>(b) + 1] = firstRow[static_cast<std::size_t>(b)] + tree.node(b).rows;
  const int firstOfBorder = firstRow.back(), size = firstOfBorder + 5;
  std::vector<DenseSystem> dense(StageTree::lanes,
                                 {MatrixX::Zero(size, size), VectorX::Zero(size), VectorX::Zero(size)});
  const auto enter = [&](int row, int column, const Lane& value) {
    for (int i = 0; i < StageTree::lanes; ++i) dense[static_cast<std::size_t>(i)].matrix(row, column) += value[i];
  };
  const auto enterRight = [&](int row, const Lane& value) {
    for (int i = 0; i < StageTree::lanes; ++i) dense[static_cast<std::size_t>(i)].right[row] = value[i];
  };
  /// A row that asks something of z at a place, and pulls there with its multiplier.
  const auto enterPull = [&](int row, int column, const Lane& value) {
    enter(row, column, value);
    enter(column, row, Lane(0.0) - value);
  };

  tree.clearBorder();
  for (int b = 0; b < bodies; ++b) {
    StageTree::Node& node = tree.node(b);
    for (int i = 0; i < 6; ++i) {
      for (int j = 0; j <= i; ++j) {
        node.A[i][j] = i == j ? Lane(8.0) + number.lane() : number.lane();
        enter(6 * b + i, 6 * b + j, node.A[i][j]);
        if (i != j) enter(6 * b + j, 6 * b + i, node.A[i][j]);
      }
      node.f[i] = number.lane();
      enterRight(6 * b + i, node.f[i]);
    }
    for (int k = 0; k < node.rows; ++k) {
      const int row = firstRow[static_cast<std::size_t>(b)] + k;
      node.g[k] = number.lane();
      enterRight(row, node.g[k]);
      for (int i = 0; i < 6; ++i) {
        node.G[k][i] = (i == k ? Lane(3.0) : Lane(0.0)) + number.lane();  // no row repeats others
        enterPull(row, 6 * b + i, node.G[k][i]);
        if (node.parent < 0) continue;
        node.above[k][i] = number.lane();
        enterPull(row, 6 * node.parent + i, node.above[k][i]);
      }
    }
  }
  int unknown = 0;
  for (const BorderPart& part : border)
    for (int k = 0; k < part.size; ++k, ++unknown) {
      tree.right(unknown) = number.lane();
      enterRight(firstOfBorder + unknown, tree.right(unknown));
      for (const int b : part.nodes)
        for (int i = 0; i < 6; ++i) {
          Lane& entry = tree.borderRow(b, unknown)[i];
          entry = number.lane();
          enterPull(firstOfBorder + unknown, 6 * b + i, entry);
        }
    }

  for (DenseSystem& system : dense) system.solution = system.matrix.fullPivLu().solve(system.right);
  ASSERT_TRUE(tree.factorise());
  tree.solve();
  for (int lane = 0; lane < StageTree::lanes; ++lane) {
    const VectorX& expected = dense[static_cast<std::size_t>(lane)].solution;
    const double tolerance = 1e-11 * expected.norm();  // a condition of up to 1e4 times roundings
    for (int b = 0; b < bodies; ++b) {
      for (int i = 0; i < 6; ++i) EXPECT_NEAR(tree.node(b).z[i][lane], expected[6 * b + i], tolerance) << b;
      for (int k = 0; k < tree.node(b).rows; ++k)
        EXPECT_NEAR(tree.node(b).l[k][lane], expected[firstRow[static_cast<std::size_t>(b)] + k], tolerance) << b;
    }
    for (int k = 0; k < 5; ++k) EXPECT_NEAR(tree.solution(k)[lane], expected[firstOfBorder + k], tolerance) << k;
  }
}

TEST(StageTree, SaysWhereNothingResists) {
  const Mechanism mechanism(test::ballChain(1));
  StageTree tree(mechanism, nodesOf(mechanism), {});
  StageTree::Node& node = tree.node(0);
  for (int i = 0; i < 6; ++i) {
    for (int j = 0; j < 6; ++j) node.A[i][j] = i == j ? 1.0 : 0.0;
    for (int k = 0; k < node.rows; ++k) node.G[k][i] = i == k ? 1.0 : 0.0;
  }
  StageTree other = tree;
  EXPECT_TRUE(tree.factorise());
  other.node(0).A[4][4] = 0.0;
  EXPECT_FALSE(other.factorise());
}

}  // namespace polhode::stage_tree_test
