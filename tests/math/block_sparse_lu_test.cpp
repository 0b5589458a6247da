#include "math/block_sparse_lu.h"

#include <gtest/gtest.h>

namespace polhode::block_sparse_lu_test {
namespace {

TEST(BlockSparseLu, SolvesWhatADenseFactorisationSolves) {
  const std::vector<int> sizes = {6, 3, 6, 5, 1, 6};
  // a tree, and an edge that closes a loop and so fills in
  const std::vector<std::pair<int, int>> couplings = {{0, 1}, {1, 5}, {2, 3}, {3, 5}, {4, 5}, {0, 4}};
  BlockSparseLu lu(sizes, couplings);
  MatrixX dense = MatrixX::Zero(lu.size(), lu.size());
  std::srand(1);
  const auto fill = [&](int i, int j) {
    auto block = lu.block(lu.find(i, j));
    const MatrixX values = MatrixX::Random(block.rows(), block.cols()) +
                           (i == j ? 8.0 : 0.0) * MatrixX::Identity(block.rows(), block.cols());
    block = values;
    dense.block(lu.start(i), lu.start(j), block.rows(), block.cols()) = values;
  };
  lu.setZero();
  for (int i = 0; i < 6; ++i) fill(i, i);
  for (const auto& [i, j] : couplings) fill(i, j), fill(j, i);

  const VectorX right = VectorX::Random(lu.size());
  VectorX solution = right;
  lu.factorise();
  lu.solve(solution);
  EXPECT_LT((dense * solution - right).cwiseAbs().maxCoeff(), 1e-13);

  const MatrixX inverse = dense.inverse();
  for (int i = 0; i < 6; ++i) {
    const MatrixX block = lu.inverseBlock(i);
    const MatrixX expected = inverse.block(lu.start(i), lu.start(i), block.rows(), block.cols());
    EXPECT_LT((block - expected).cwiseAbs().maxCoeff(), 1e-14) << "node " << i;
  }
}

TEST(BlockSparseLu, ATreeWithLeavesFirstHasNoFill) {
  // bodies 0, 2, 4 and joints 1, 3, 5 of a chain, from its end to the ground
  BlockSparseLu lu({6, 3, 6, 3, 6, 3}, {{0, 1}, {1, 2}, {2, 3}, {3, 4}, {4, 5}});
  EXPECT_EQ(lu.blockCount(), 6 + 2 * 5);
  EXPECT_THROW(lu.find(0, 5), std::logic_error);
}

}  // namespace
}  // namespace polhode::block_sparse_lu_test
