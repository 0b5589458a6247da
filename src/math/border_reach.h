#pragma once

#include "math/loop_border.h"

#include <vector>

namespace polhode {

/// Some unknowns of the border of a tree system (tree_system.h), and the nodes, one or two, that have columns and rows for
/// them.
struct BorderPart {
  int size;
  std::vector<int> nodes;
};

/// How far the parts of a border reach: each is known to its own nodes and to all on their way to the root, or to the node
/// where its loop closes and where it is eliminated, its home. Two parts that one node knows are coupled.
struct BorderReach {
  std::vector<int> homes;               // of each part; -1 for those that are left to the end
  std::vector<std::vector<int>> known;  // of each node its parts, ascending
  bool dense;                           // the border is one matrix

  /// `parent[b] < b`, or -1. A border of up to `smallBorder` unknowns is one dense matrix, and no part has a home.
  BorderReach(const std::vector<int>& parent, const std::vector<BorderPart>& border, int smallBorder);

  /// The border's matrix: a group for each part, in the order in which their homes are eliminated; or one group.
  template <class Scalar>
  LoopBorderOf<Scalar> makeBorder(const std::vector<BorderPart>& border) const;
};

}  // namespace polhode
