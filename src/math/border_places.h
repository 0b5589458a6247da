#pragma once

#include "math/border_reach.h"

#include <span>
#include <vector>

/// Where the numbers of a border stand that is handed on along a tree (tree_system.h): room for a row and a column of each
/// unknown at every node that knows it, the border's block for every pair of parts that meet at a node, and what the
/// elimination of a part at its home changes.
namespace polhode {

class BorderPlaces {
 public:
  struct Part {
    int first, size;  // unknowns
    int home;         // the node where it is eliminated, -1 for the end
  };

  /// A part of the border at a node that knows it.
  struct Known {
    int part;
    std::size_t slot;               // of its first unknown here ...
    std::size_t parentSlot = none;  // ... and at the parent, where it knows the part
  };
  static constexpr std::size_t none = static_cast<std::size_t>(-1);

  /// What a part's elimination at its home changes: another part that the home knows, and the border's blocks (other, part)
  /// and (part, other).
  struct Change {
    std::size_t slot;
    int size, below, right;
  };
  struct Homed {
    int part, group;
    std::size_t slot;
    std::vector<Change> changes;
  };

  /// `parent[b] < b`, or -1; `places` says which group of the border's `pattern` each unknown belongs to.
  template <class Scalar>
  BorderPlaces(const std::vector<int>& parent, const std::vector<BorderPart>& border, const BorderReach& reach,
               const LoopBorderOf<Scalar>& matrix)
      : BorderPlaces(parent, border, reach, matrix.pattern(),
                     [&](int unknown) { return matrix.place(unknown).group; }) {}

  std::size_t slots() const { return slots_; }
  const Part& part(int number) const { return parts_[static_cast<std::size_t>(number)]; }
  std::span<const Known> knownBy(int b) const {
    const std::size_t start = knownStart_[static_cast<std::size_t>(b)];
    return {known_.data() + start, knownStart_[static_cast<std::size_t>(b) + 1] - start};
  }

  /// The slot of a part's first unknown at a node, which must know it.
  std::size_t slot(int b, int part) const { return find(b, part)->slot; }

  /// The parts that are eliminated at a node, in the order in which this is done.
  const std::vector<Homed>& homedAt(int b) const { return homed_[static_cast<std::size_t>(b)]; }

  /// The border's block for each pair of parts that a node knows and that are not at home there, row by row.
  const int* pairsOf(int b) const { return pairs_.data() + pairStart_[static_cast<std::size_t>(b)]; }

 private:
  template <class GroupOf>
  BorderPlaces(const std::vector<int>& parent, const std::vector<BorderPart>& border, const BorderReach& reach,
               const BlockPattern& pattern, const GroupOf& groupOf) {
    int first = 0;
    std::vector<int> groups;
    for (std::size_t p = 0; p < border.size(); ++p) {
      parts_.push_back({first, border[p].size, reach.homes[p]});
      groups.push_back(groupOf(first));
      first += border[p].size;
    }
    settle(parent, reach, pattern, groups);
    settleHomes(pattern, groups);
  }

  void settle(const std::vector<int>& parent, const BorderReach& reach, const BlockPattern& pattern,
              const std::vector<int>& groups);
  void settleHomes(const BlockPattern& pattern, const std::vector<int>& groups);
  const Known* find(int b, int part) const;

  std::vector<Part> parts_;
  std::size_t slots_ = 0;
  std::vector<std::size_t> knownStart_;
  std::vector<Known> known_;               // of all nodes
  std::vector<std::vector<Homed>> homed_;  // of each node
  std::vector<std::size_t> pairStart_;     // of each node
  std::vector<int> pairs_;
};

}  // namespace polhode
