#include "math/block_sparse_lu.h"

#include "math/index.h"
#include "math/small_blocks.h"

#include <algorithm>
#include <array>
#include <functional>

namespace polhode {

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
  columns_.resize(at(largestBlock * pattern_.unknowns()));
  way_.reserve(at(pattern_.nodes()));
}

BlockSparseLu::Block BlockSparseLu::block(int number) {
  const BlockPattern::Entry& entry = pattern_.entry(number);
  return {data(number), pattern_.size(entry.row), pattern_.size(entry.column)};
}

void BlockSparseLu::setZero() {
  std::fill(values_.begin(), values_.end(), 0.0);
}

/// The factors are stored with the opposite sign: -L below the diagonal, and -U_kk^-1 in `inverses_`. Everything is then a
/// sum of products.
void BlockSparseLu::factorise() {
  std::array<double, largestBlock * largestBlock> copy;
  for (int k = 0; k < pattern_.nodes(); ++k) {
    const int size = pattern_.size(k);
    double* inverse = inverses_[at(k)].data();
    small_blocks::invert(size)(data(pattern_.diagonal(k)), inverse);
    for (int i = 0; i < size * size; ++i) inverse[i] = -inverse[i];
    for (const int number : pattern_.below(k)) {
      const int rows = pattern_.size(pattern_.entry(number).row);
      double* left = data(number);
      std::copy_n(left, rows * size, copy.data());
      std::fill_n(left, rows * size, 0.0);
      small_blocks::addProduct(rows, size, size)(left, copy.data(), inverse);
    }
    for (const BlockPattern::Update& update : pattern_.updates(k)) {
      const BlockPattern::Entry& entry = pattern_.entry(update.target);
      small_blocks::addProduct(pattern_.size(entry.row), size, pattern_.size(entry.column))(
          data(update.target), data(update.left), data(update.right));
    }
  }
}

void BlockSparseLu::solve(Eigen::Ref<VectorX> y) const {
  for (int k = 0; k < pattern_.nodes(); ++k) eliminate(k, y.data(), 1);
  for (int k = pattern_.nodes() - 1; k >= 0; --k) substitute(k, y.data(), 1);
}

/// All that a node's unknowns act on, and depend on, when they are eliminated are those that its elimination couples with
/// one another: on the way from it to the last node.
BlockSparseLu::Dense BlockSparseLu::inverseBlock(int node) {
  const int size = pattern_.size(node);
  const auto part = [&](int k) { return columns_.data() + size * pattern_.start(k); };
  way_.clear();
  for (int k = node; k >= 0; k = pattern_.parent(k)) {
    way_.push_back(k);
    std::fill_n(part(k), pattern_.size(k) * size, 0.0);
  }
  for (int i = 0; i < size; ++i) part(node)[i * size + i] = 1.0;
  for (const int k : way_) eliminate(k, columns_.data(), size);
  for (auto k = way_.rbegin(); k != way_.rend(); ++k) substitute(*k, columns_.data(), size);
  return Eigen::Map<const Dense>(part(node), size, size);
}

/// Right-hand sides y: those of node k are a block with a row for each of its unknowns, behind those of the nodes before.
void BlockSparseLu::eliminate(int k, double* y, int columns) const {
  const int size = pattern_.size(k);
  const double* part = y + columns * pattern_.start(k);
  if (std::all_of(part, part + size * columns, [](double value) { return value == 0.0; })) return;
  for (const int number : pattern_.below(k)) {
    const int row = pattern_.entry(number).row;
    small_blocks::addProduct(pattern_.size(row), size, columns)(y + columns * pattern_.start(row), data(number), part);
  }
}

void BlockSparseLu::substitute(int k, double* y, int columns) const {
  const int size = pattern_.size(k);
  double* part = y + columns * pattern_.start(k);
  std::array<double, largestBlock * largestBlock> rest;
  std::transform(part, part + size * columns, rest.begin(), std::negate<>());
  for (const int number : pattern_.right(k)) {
    const int column = pattern_.entry(number).column;
    small_blocks::addProduct(size, pattern_.size(column), columns)(rest.data(), data(number),
                                                                   y + columns * pattern_.start(column));
  }
  std::fill_n(part, size * columns, 0.0);
  small_blocks::addProduct(size, size, columns)(part, inverses_[at(k)].data(), rest.data());
}

}  // namespace polhode
