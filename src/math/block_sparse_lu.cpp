#include "polhode/math/block_sparse_lu.h"

#include <algorithm>

namespace polhode {
namespace {

std::size_t at(int i) {
  return static_cast<std::size_t>(i);
}

}  // namespace

BlockSparseLu::BlockSparseLu(std::vector<int> sizes, const std::vector<std::pair<int, int>>& couplings)
    : pattern_(std::move(sizes), couplings), inverses_(at(pattern_.nodes())) {
  offsets_.reserve(at(pattern_.blocks()));
  std::size_t next = 0;
  for (int block = 0; block < pattern_.blocks(); ++block) {
    offsets_.push_back(next);
    const BlockPattern::Entry& entry = pattern_.entry(block);
    next += at(pattern_.size(entry.row)) * at(pattern_.size(entry.column));
  }
  values_.resize(next);
}

BlockSparseLu::Block BlockSparseLu::block(int number) {
  const BlockPattern::Entry& entry = pattern_.entry(number);
  return {values_.data() + offsets_[at(number)], pattern_.size(entry.row), pattern_.size(entry.column)};
}

BlockSparseLu::ConstBlock BlockSparseLu::constBlock(int number) const {
  const BlockPattern::Entry& entry = pattern_.entry(number);
  return {values_.data() + offsets_[at(number)], pattern_.size(entry.row), pattern_.size(entry.column)};
}

void BlockSparseLu::setZero() {
  std::fill(values_.begin(), values_.end(), 0.0);
}

void BlockSparseLu::factorise() {
  for (int k = 0; k < pattern_.nodes(); ++k) {
    Dense& inverse = inverses_[at(k)];
    inverse = block(pattern_.diagonal(k)).partialPivLu().inverse();
    for (const int number : pattern_.below(k)) {
      Block left = block(number);
      const Dense product = left.lazyProduct(inverse);
      left = product;
    }
    for (const BlockPattern::Update& update : pattern_.updates(k))
      block(update.target) -= block(update.left).lazyProduct(block(update.right));
  }
}

void BlockSparseLu::solve(Eigen::Ref<VectorX> y) const {
  const auto part = [&](int node) { return y.segment(pattern_.start(node), pattern_.size(node)); };
  for (int k = 0; k < pattern_.nodes(); ++k)
    for (const int number : pattern_.below(k))
      part(pattern_.entry(number).row) -= constBlock(number).lazyProduct(part(k));
  Eigen::Matrix<double, Eigen::Dynamic, 1, Eigen::ColMajor, largestBlock, 1> rest;
  for (int k = pattern_.nodes() - 1; k >= 0; --k) {
    rest = part(k);
    for (const int number : pattern_.right(k))
      rest -= constBlock(number).lazyProduct(part(pattern_.entry(number).column));
    part(k) = inverses_[at(k)].lazyProduct(rest);
  }
}

}  // namespace polhode
