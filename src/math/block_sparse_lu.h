#pragma once

#include "math/block_pattern.h"
#include "math/small_blocks.h"
#include "polhode/math/types.h"

#include <array>
#include <utility>
#include <vector>

/// Linear systems made of small blocks on a graph: node i has up to six unknowns, and an edge couples two nodes. The matrix
/// need not be symmetric, its pattern (block_pattern.h) is. Nodes are eliminated in the order of their numbers, without
/// exchanging them. Factorising and solving allocate nothing.
namespace polhode {

class BlockSparseLu {
 public:
  static constexpr int largestBlock = small_blocks::largest;
  using Dense = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::ColMajor, largestBlock, largestBlock>;
  using Block = Eigen::Map<Dense>;

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

  /// A diagonal block of the inverse: how the unknowns of a node answer to its own right-hand side. Much cheaper than
  /// solutions for all nodes.
  Dense inverseBlock(int node);

 private:
  void eliminate(int k, double* y, int columns) const;
  void substitute(int k, double* y, int columns) const;
  double* data(int number) { return values_.data() + offsets_[static_cast<std::size_t>(number)]; }
  const double* data(int number) const { return values_.data() + offsets_[static_cast<std::size_t>(number)]; }

  BlockPattern pattern_;
  std::vector<std::size_t> offsets_;  // of the blocks, into values_
  std::vector<double> values_;
  std::vector<std::array<double, largestBlock * largestBlock>> inverses_;  // of the diagonal blocks
  std::vector<double> columns_;                                            // for inverseBlock
  std::vector<int> way_;
};

}  // namespace polhode
