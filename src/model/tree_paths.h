#pragma once

#include "model/topology.h"

#include <vector>

namespace polhode {

/// Ways along a spanning tree.
class TreePaths {
 public:
  explicit TreePaths(const Topology& tree) : tree_(tree), depth_(tree.parent.size(), 1) {
    for (const int body : tree.order)
      if (const int parent = parentOf(body); parent != groundIndex)
        depth_[static_cast<std::size_t>(body)] = depthOf(parent) + 1;
  }

  /// The body where the ways of two bodies to the ground meet, which may be one of them, or the ground. Calls with every
  /// body before it.
  template <class Visitor>
  int meeting(int a, int b, const Visitor& visit) const {
    while (a != b) {
      int& deeper = depthOf(a) < depthOf(b) ? b : a;
      visit(deeper);
      deeper = parentOf(deeper);
    }
    return a;
  }

 private:
  int parentOf(int body) const { return tree_.parent[static_cast<std::size_t>(body)]; }
  int depthOf(int body) const { return body == groundIndex ? 0 : depth_[static_cast<std::size_t>(body)]; }

  const Topology& tree_;
  std::vector<int> depth_;  // how many bodies on the way to the ground, itself included
};

}  // namespace polhode
