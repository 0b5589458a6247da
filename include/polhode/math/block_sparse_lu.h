#pragma once

#include "polhode/math/types.h"

#include <utility>
#include <vector>

/// Linear systems made of small blocks on a graph: node i has up to six unknowns, and an edge couples two nodes. The matrix
/// need not be symmetric, its pattern is. Nodes are eliminated in the order of their numbers, without exchanging them:
///
///     A = L U,   L_ik = A_ik U_kk^-1,   A_ij -= L_ik U_kj    for all i, j behind k that k is coupled with
///
/// The fill is found once; factorising and solving allocate nothing. On a tree whose leaves come first there is none.
///
/// Reference: Duff, Erisman & Reid 2017, Direct methods for sparse matrices, chapters 7 and 10.
namespace polhode {

class BlockSparseLu {
 public:
  static constexpr int largestBlock = 6;
  using Dense = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::ColMajor, largestBlock, largestBlock>;
  using Block = Eigen::Map<Dense>;
  using ConstBlock = Eigen::Map<const Dense>;

  /// The unknowns of each node, and which pairs of different nodes are coupled.
  BlockSparseLu(std::vector<int> sizes, const std::vector<std::pair<int, int>>& couplings);

  int size() const { return starts_.back(); }
  int start(int node) const { return starts_[static_cast<std::size_t>(node)]; }  // of its unknowns
  int blockCount() const { return static_cast<int>(blocks_.size()); }            // fill included

  /// The number of a block, for `block`. The nodes must be coupled, or the same.
  int find(int row, int column) const;
  Block block(int number);

  void setZero();

  /// Factorises in place. A diagonal block that is singular gives numbers that are not finite.
  void factorise();

  /// Replaces a right-hand side by the solution.
  void solve(Eigen::Ref<VectorX> rightHandSide) const;

 private:
  struct Entry {
    int row, column;
    std::size_t offset;  // into values_
  };
  struct Update {
    int target, left, right;
  };

  int add(int row, int column);
  ConstBlock constBlock(int number) const;
  int nodes() const { return static_cast<int>(sizes_.size()); }

  std::vector<int> sizes_, starts_;
  std::vector<Entry> blocks_;
  std::vector<std::vector<std::pair<int, int>>> byRow_;  // (column, block), ascending
  std::vector<int> diagonal_;                            // block (k, k) of each node
  std::vector<std::vector<int>> below_, right_;          // blocks (i, k) and (k, j) with i, j > k, of each node k
  std::vector<std::vector<Update>> updates_;             // of each node
  std::vector<double> values_;
  std::vector<Dense> inverses_;  // of the diagonal blocks
};

/// An order of elimination with little fill: always the node with the fewest neighbours left (minimum degree), the first
/// of them where there are several. Nodes of a lower phase come before all of a higher one.
std::vector<int> minimumDegreeOrder(const std::vector<int>& phases, const std::vector<std::pair<int, int>>& couplings);

}  // namespace polhode
