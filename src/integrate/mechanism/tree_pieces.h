#pragma once

#include <cstddef>
#include <vector>

/// A large tree of bodies in pieces that several threads work at. **Branches** are bundles of whole subtrees: what happens in one
/// of them until its roots hand on to their parents needs nothing of the others. What is left between them and the ground is the
/// **trunk**, which is eliminated by one thread; its bodies form ranges, for what they have for themselves.
///
/// The longest way that cannot be shared is made as short as it can be: with the subtrees by size, s_0 >= s_1 >= ..., the trunk
/// consists of the roots of the k largest, and
///
///     k + max(s_k, n/32)
///
/// is the least. Where that is still most of the tree, as in a chain, it remains whole: to share only what bodies have for
/// themselves costs more than it saves, since one thread then fetches what another one has written. The pieces hang on the tree
/// alone, so that sums over them have the same bits for any number of threads.
namespace polhode {

struct TreePieces {
  struct Piece {
    std::size_t begin, end;  // nodes
    bool isBranch;
  };

  std::vector<int> order;       // which node of the tree stands at each place, each after its parent
  std::size_t trunk = 0;        // so many nodes are the trunk, the first ones
  std::vector<Piece> pieces;    // ranges of the trunk, then branches
  std::size_t firstBranch = 0;  // among the pieces

  /// One piece, in the order of the nodes.
  static TreePieces whole(std::size_t nodes);

  /// `parent[i] < i`, or the number of nodes where it is the ground. Only nodes that `mayBeRoot` are roots of branches; any, if it
  /// is empty. Trees below `smallest` nodes remain whole.
  static TreePieces of(const std::vector<int>& parent, const std::vector<bool>& mayBeRoot = {},
                       std::size_t smallest = worthwhile);

  /// As many nodes as make it worth while.
  static constexpr std::size_t worthwhile = 1024;

  /// The nodes that follow each other on the longest way: the trunk and the largest branch.
  std::size_t longestWay() const;
};

}  // namespace polhode
