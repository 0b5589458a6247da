#include "integrate/mechanism/tree_pieces.h"

#include "math/index.h"

#include <algorithm>
#include <numeric>

namespace polhode {

namespace {

constexpr std::size_t usualPieces = 32;
constexpr double shortEnough = 0.75;  // the longest way, of all nodes: where it is longer there are no branches

/// Ranges of the first nodes, for what bodies have for themselves.
void addRanges(std::size_t nodes, std::size_t length, std::vector<TreePieces::Piece>& pieces) {
  for (std::size_t begin = 0; begin < nodes; begin += length)
    pieces.push_back({begin, std::min(begin + length, nodes), false});
}

class Partition {
 public:
  Partition(const std::vector<int>& parent, const std::vector<bool>& mayBeRoot)
      : parent_(parent), size_(parent.size(), 1), root_(parent.size()), together_(parent.size() + 1, 0) {
    const std::size_t ground = parent.size();
    for (std::size_t i = ground; i-- > 0;)
      if (at(parent[i]) < ground) size_[at(parent[i])] += size_[i];
    for (std::size_t i = 0; i < ground; ++i) {
      root_[i] = mayBeRoot.empty() || mayBeRoot[i] ? i : at(parent[i]) < ground ? root_[at(parent[i])] : ground;
      ++together_[root_[i]];
    }
  }

  /// Which nodes are the trunk, so that the longest way is the shortest; none if it remains too long.
  std::vector<bool> trunk() const {
    const std::size_t nodes = parent_.size(), length = pieceLength();
    std::vector<std::size_t> roots;
    for (std::size_t i = 0; i < nodes; ++i)
      if (root_[i] == i) roots.push_back(i);
    std::stable_sort(roots.begin(), roots.end(), [&](std::size_t a, std::size_t b) { return size_[a] > size_[b]; });
    std::size_t inTrunk = together_[nodes], best = roots.size(), least = nodes;
    for (std::size_t k = 0; k < roots.size(); ++k) {
      const std::size_t way = inTrunk + std::max(size_[roots[k]], length);
      if (way < least) least = way, best = k;
      if (size_[roots[k]] <= length) break;
      inTrunk += together_[roots[k]];
    }
    if (static_cast<double>(least) > shortEnough * static_cast<double>(nodes)) return {};
    std::vector<bool> is(nodes + 1, false);
    is[nodes] = true;
    for (std::size_t k = 0; k < best; ++k) is[roots[k]] = true;
    std::vector<bool> all(nodes);
    for (std::size_t i = 0; i < nodes; ++i) all[i] = is[root_[i]];
    return all;
  }

  /// Within a piece nodes stay in the order in which they were: by their distance from the ground, so that the processor has several
  /// in hand that do not wait for each other.
  TreePieces pieces(const std::vector<bool>& isTrunk) const {
    TreePieces result;
    const std::size_t nodes = parent_.size();
    std::vector<std::vector<int>> children(nodes + 1);
    for (std::size_t i = nodes; i-- > 0;) children[at(parent_[i])].push_back(static_cast<int>(i));
    std::vector<std::size_t> roots;  // of branches
    std::size_t largest = pieceLength();
    const auto walk = [&](int from, const auto& take) {
      std::vector<int> open{from};
      while (!open.empty()) {
        const int node = open.back();
        open.pop_back();
        if (take(node)) open.insert(open.end(), children[at(node)].begin(), children[at(node)].end());
      }
    };
    walk(static_cast<int>(nodes), [&](int node) {
      const bool isGround = at(node) == nodes, goesOn = isGround || isTrunk[at(node)];
      if (!goesOn) roots.push_back(at(node)), largest = std::max(largest, size_[at(node)]);
      if (goesOn && !isGround) result.order.push_back(node);
      return goesOn;
    });
    result.trunk = result.order.size();
    addRanges(result.trunk, pieceLength(), result.pieces);
    result.firstBranch = result.pieces.size();
    for (const std::size_t root : roots) {
      const std::size_t begin = result.order.size();
      walk(static_cast<int>(root), [&](int node) {
        result.order.push_back(node);
        return true;
      });
      const std::size_t end = result.order.size();
      TreePieces::Piece* last = result.pieces.size() > result.firstBranch ? &result.pieces.back() : nullptr;
      if (last && end - last->begin <= largest)
        last->end = end;
      else
        result.pieces.push_back({begin, end, true});
    }
    const auto sort = [&](std::size_t begin, std::size_t end) {
      std::sort(result.order.begin() + static_cast<std::ptrdiff_t>(begin),
                result.order.begin() + static_cast<std::ptrdiff_t>(end));
    };
    sort(0, result.trunk);
    for (std::size_t k = result.firstBranch; k < result.pieces.size(); ++k)
      sort(result.pieces[k].begin, result.pieces[k].end);
    return result;
  }

  std::size_t pieceLength() const {
    constexpr std::size_t register_ = 8;
    const std::size_t each = (parent_.size() + usualPieces - 1) / usualPieces;
    return (each + register_ - 1) / register_ * register_;
  }

 private:
  const std::vector<int>& parent_;
  std::vector<std::size_t> size_;  // of each subtree
  std::vector<std::size_t>
      root_;  // the nearest node towards the ground that may be the root of a branch, or the ground
  std::vector<std::size_t> together_;  // how many nodes have the same
};

}  // namespace

TreePieces TreePieces::whole(std::size_t nodes) {
  TreePieces pieces;
  pieces.order.resize(nodes);
  std::iota(pieces.order.begin(), pieces.order.end(), 0);
  pieces.trunk = nodes;
  pieces.pieces = {{0, nodes, false}};
  pieces.firstBranch = 1;
  return pieces;
}

TreePieces TreePieces::of(const std::vector<int>& parent, const std::vector<bool>& mayBeRoot, std::size_t smallest) {
  if (parent.size() < smallest) return whole(parent.size());
  const Partition partition(parent, mayBeRoot);
  const std::vector<bool> trunk = partition.trunk();
  return trunk.empty() ? whole(parent.size()) : partition.pieces(trunk);
}

std::size_t TreePieces::longestWay() const {
  std::size_t largest = 0;
  for (std::size_t k = firstBranch; k < pieces.size(); ++k)
    largest = std::max(largest, pieces[k].end - pieces[k].begin);
  return trunk + largest;
}

}  // namespace polhode
