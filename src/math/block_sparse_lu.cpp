#include "polhode/math/block_sparse_lu.h"

#include <algorithm>
#include <set>
#include <stdexcept>
#include <tuple>

namespace polhode {
namespace {

std::size_t at(int i) {
  return static_cast<std::size_t>(i);
}

}  // namespace

BlockSparseLu::BlockSparseLu(std::vector<int> sizes, const std::vector<std::pair<int, int>>& couplings)
    : sizes_(std::move(sizes)), starts_{0} {
  for (const int size : sizes_) starts_.push_back(starts_.back() + size);

  // fill: eliminating k couples all nodes behind it that it is coupled with
  std::vector<std::set<int>> behind(sizes_.size());
  for (const auto& [a, b] : couplings)
    if (a != b) behind[at(std::min(a, b))].insert(std::max(a, b));
  for (int k = 0; k < nodes(); ++k)
    for (const int i : behind[at(k)])
      for (const int j : behind[at(k)])
        if (i < j) behind[at(i)].insert(j);

  byRow_.resize(sizes_.size());
  below_.resize(sizes_.size());
  right_.resize(sizes_.size());
  updates_.resize(sizes_.size());
  for (int k = 0; k < nodes(); ++k) {
    diagonal_.push_back(add(k, k));
    for (const int i : behind[at(k)]) {
      below_[at(k)].push_back(add(i, k));
      right_[at(k)].push_back(add(k, i));
    }
  }
  for (auto& row : byRow_) std::sort(row.begin(), row.end());
  for (int k = 0; k < nodes(); ++k)
    for (const int left : below_[at(k)])
      for (const int right : right_[at(k)])
        updates_[at(k)].push_back({find(blocks_[at(left)].row, blocks_[at(right)].column), left, right});
  inverses_.resize(sizes_.size());
}

int BlockSparseLu::add(int row, int column) {
  const int number = blockCount();
  blocks_.push_back({row, column, values_.size()});
  values_.resize(values_.size() + at(sizes_[at(row)]) * at(sizes_[at(column)]));
  byRow_[at(row)].emplace_back(column, number);
  return number;
}

int BlockSparseLu::find(int row, int column) const {
  const auto& entries = byRow_[at(row)];
  const auto found = std::lower_bound(entries.begin(), entries.end(), std::pair{column, 0});
  if (found == entries.end() || found->first != column) throw std::logic_error("a block outside of the pattern");
  return found->second;
}

BlockSparseLu::Block BlockSparseLu::block(int number) {
  const Entry& entry = blocks_[at(number)];
  return {values_.data() + entry.offset, sizes_[at(entry.row)], sizes_[at(entry.column)]};
}

BlockSparseLu::ConstBlock BlockSparseLu::constBlock(int number) const {
  const Entry& entry = blocks_[at(number)];
  return {values_.data() + entry.offset, sizes_[at(entry.row)], sizes_[at(entry.column)]};
}

void BlockSparseLu::setZero() {
  std::fill(values_.begin(), values_.end(), 0.0);
}

void BlockSparseLu::factorise() {
  for (int k = 0; k < nodes(); ++k) {
    Dense& inverse = inverses_[at(k)];
    inverse = block(diagonal_[at(k)]).partialPivLu().inverse();
    for (const int number : below_[at(k)]) {
      Block left = block(number);
      const Dense product = left.lazyProduct(inverse);
      left = product;
    }
    for (const Update& update : updates_[at(k)])
      block(update.target) -= block(update.left).lazyProduct(block(update.right));
  }
}

void BlockSparseLu::solve(Eigen::Ref<VectorX> y) const {
  for (int k = 0; k < nodes(); ++k)
    for (const int number : below_[at(k)]) {
      const int i = blocks_[at(number)].row;
      y.segment(start(i), sizes_[at(i)]) -= constBlock(number).lazyProduct(y.segment(start(k), sizes_[at(k)]));
    }
  Eigen::Matrix<double, Eigen::Dynamic, 1, Eigen::ColMajor, largestBlock, 1> rest;
  for (int k = nodes() - 1; k >= 0; --k) {
    rest = y.segment(start(k), sizes_[at(k)]);
    for (const int number : right_[at(k)]) {
      const int j = blocks_[at(number)].column;
      rest -= constBlock(number).lazyProduct(y.segment(start(j), sizes_[at(j)]));
    }
    y.segment(start(k), sizes_[at(k)]) = inverses_[at(k)].lazyProduct(rest);
  }
}

std::vector<int> minimumDegreeOrder(const std::vector<int>& phases, const std::vector<std::pair<int, int>>& couplings) {
  std::vector<std::set<int>> neighbours(phases.size());
  for (const auto& [a, b] : couplings) {
    if (a == b) continue;
    neighbours[at(a)].insert(b);
    neighbours[at(b)].insert(a);
  }
  // nodes that are left, by phase, degree and number
  using Rank = std::tuple<int, std::size_t, int>;
  std::set<Rank> left;
  const auto rank = [&](int node) { return Rank{phases[at(node)], neighbours[at(node)].size(), node}; };
  for (int node = 0; node < static_cast<int>(phases.size()); ++node) left.insert(rank(node));

  std::vector<int> order;
  while (!left.empty()) {
    const int node = std::get<2>(*left.begin());
    left.erase(left.begin());
    order.push_back(node);
    const std::set<int> clique = std::move(neighbours[at(node)]);
    for (const int i : clique) {
      left.erase(rank(i));
      neighbours[at(i)].erase(node);
      for (const int j : clique)
        if (i != j) neighbours[at(i)].insert(j);
      left.insert(rank(i));
    }
  }
  return order;
}

}  // namespace polhode
