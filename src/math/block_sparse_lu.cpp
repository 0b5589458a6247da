#include "polhode/math/block_sparse_lu.h"

#include <algorithm>

namespace polhode {
namespace {

std::size_t at(int i) {
  return static_cast<std::size_t>(i);
}

template <int Rows, int Columns>
using Fixed = Eigen::Matrix<double, Rows, Columns>;

template <int Rows, int Inner, int Columns>
void subtractFixed(double* target, const double* left, const double* right) {
  Eigen::Map<Fixed<Rows, Columns>>(target) -=
      Eigen::Map<const Fixed<Rows, Inner>>(left).lazyProduct(Eigen::Map<const Fixed<Inner, Columns>>(right));
}

/// target -= left * right, with the sizes known where they are frequent: bodies with six unknowns, between joints of three
/// rows (balls) or five (hinges).
void subtractProduct(BlockSparseLu::Block target, BlockSparseLu::Block left, BlockSparseLu::Block right) {
  const Eigen::Index rows = target.rows(), inner = left.cols(), columns = target.cols();
  const auto is = [&](int r, int i, int c) { return rows == r && inner == i && columns == c; };
  if (is(3, 3, 3)) return subtractFixed<3, 3, 3>(target.data(), left.data(), right.data());
  if (is(3, 6, 3)) return subtractFixed<3, 6, 3>(target.data(), left.data(), right.data());
  if (is(5, 5, 5)) return subtractFixed<5, 5, 5>(target.data(), left.data(), right.data());
  if (is(5, 6, 5)) return subtractFixed<5, 6, 5>(target.data(), left.data(), right.data());
  target -= left.lazyProduct(right);
}

template <int Size>
void invertFixed(const double* block, BlockSparseLu::Dense& inverse) {
  const Eigen::Map<const Fixed<Size, Size>> given(block);
  inverse = given.partialPivLu().inverse();
}

void invert(BlockSparseLu::Block block, BlockSparseLu::Dense& inverse) {
  if (block.rows() == 6) return invertFixed<6>(block.data(), inverse);
  if (block.rows() == 3) return invertFixed<3>(block.data(), inverse);
  inverse = block.partialPivLu().inverse();
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
    invert(block(pattern_.diagonal(k)), inverse);
    for (const int number : pattern_.below(k)) {
      Block left = block(number);
      const Dense product = left.lazyProduct(inverse);
      left = product;
    }
    for (const BlockPattern::Update& update : pattern_.updates(k))
      subtractProduct(block(update.target), block(update.left), block(update.right));
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
