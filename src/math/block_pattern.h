#pragma once

#include <utility>
#include <vector>

/// Which blocks of a matrix are there when it is taken apart without exchanging its nodes. A node has some unknowns, an edge
/// couples two nodes, and eliminating a node couples all those behind it that it is coupled with (the fill):
///
///     A = L U,   L_ik = A_ik U_kk^-1,   A_ij -= L_ik U_kj    for all i, j behind k that k is coupled with
///
/// On a tree whose leaves come first there is no fill.
///
/// Reference: Duff, Erisman & Reid 2017, Direct methods for sparse matrices, chapters 7 and 10.
namespace polhode {

class BlockPattern {
 public:
  struct Entry {
    int row, column;
  };
  struct Update {
    int target, left, right;  // blocks: target -= left * right
  };

  /// The unknowns of each node, and which pairs of different nodes are coupled.
  BlockPattern(std::vector<int> sizes, const std::vector<std::pair<int, int>>& couplings);

  int nodes() const { return static_cast<int>(sizes_.size()); }
  int unknowns() const { return starts_.back(); }
  int size(int node) const { return sizes_[static_cast<std::size_t>(node)]; }
  int start(int node) const { return starts_[static_cast<std::size_t>(node)]; }  // of its unknowns

  int blocks() const { return static_cast<int>(entries_.size()); }  // fill included
  const Entry& entry(int block) const { return entries_[static_cast<std::size_t>(block)]; }

  /// The number of a block. The nodes must be coupled, or the same.
  int find(int row, int column) const;

  /// Blocks (k, k), (i, k) and (k, i) with i behind k, and what eliminating k changes.
  int diagonal(int k) const { return diagonal_[static_cast<std::size_t>(k)]; }
  const std::vector<int>& below(int k) const { return below_[static_cast<std::size_t>(k)]; }
  const std::vector<int>& right(int k) const { return right_[static_cast<std::size_t>(k)]; }
  const std::vector<Update>& updates(int k) const { return updates_[static_cast<std::size_t>(k)]; }

  /// The first node behind k that it is coupled with, or -1. All others are on the way from there to the last one.
  int parent(int k) const { return below(k).empty() ? -1 : entry(below(k).front()).row; }

 private:
  int add(int row, int column);

  std::vector<int> sizes_, starts_;
  std::vector<Entry> entries_;
  std::vector<std::vector<std::pair<int, int>>> byRow_;  // (column, block), ascending
  std::vector<int> diagonal_;
  std::vector<std::vector<int>> below_, right_;
  std::vector<std::vector<Update>> updates_;
};

/// An order of elimination with little fill: always the node with the fewest neighbours left (minimum degree), the first
/// of them where there are several. Nodes of a lower phase come before all of a higher one.
std::vector<int> minimumDegreeOrder(const std::vector<int>& phases, const std::vector<std::pair<int, int>>& couplings);

}  // namespace polhode
