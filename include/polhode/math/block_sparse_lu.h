#pragma once

#include "polhode/math/block_pattern.h"
#include "polhode/math/types.h"

#include <utility>
#include <vector>

/// Linear systems made of small blocks on a graph: node i has up to six unknowns, and an edge couples two nodes. The matrix
/// need not be symmetric, its pattern (block_pattern.h) is. Nodes are eliminated in the order of their numbers, without
/// exchanging them. Factorising and solving allocate nothing.
namespace polhode {

class BlockSparseLu {
 public:
  static constexpr int largestBlock = 6;
  using Dense = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::ColMajor, largestBlock, largestBlock>;
  using Block = Eigen::Map<Dense>;
  using ConstBlock = Eigen::Map<const Dense>;

  /// The unknowns of each node, and which pairs of different nodes are coupled.
  BlockSparseLu(std::vector<int> sizes, const std::vector<std::pair<int, int>>& couplings);

  int size() const { return pattern_.unknowns(); }
  int start(int node) const { return pattern_.start(node); }  // of its unknowns
  int blockCount() const { return pattern_.blocks(); }        // fill included

  /// The number of a block, for `block`. The nodes must be coupled, or the same.
  int find(int row, int column) const { return pattern_.find(row, column); }
  Block block(int number);

  void setZero();

  /// Factorises in place. A diagonal block that is singular gives numbers that are not finite.
  void factorise();

  /// Replaces a right-hand side by the solution.
  void solve(Eigen::Ref<VectorX> rightHandSide) const;

 private:
  ConstBlock constBlock(int number) const;

  BlockPattern pattern_;
  std::vector<std::size_t> offsets_;  // of the blocks, into values_
  std::vector<double> values_;
  std::vector<Dense> inverses_;  // of the diagonal blocks
};

}  // namespace polhode
