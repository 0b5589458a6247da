#include "polhode/math/loop_border.h"

#include <algorithm>
#include <cmath>

namespace polhode {
namespace {

constexpr double vanishing = 1e-10;  // of a pivot, relative to the sizes that it is made of

std::size_t at(int i) {
  return static_cast<std::size_t>(i);
}

/// For each group its place in the order.
std::vector<int> placesIn(const std::vector<int>& order) {
  std::vector<int> place(order.size());
  for (std::size_t k = 0; k < order.size(); ++k) place[at(order[k])] = static_cast<int>(k);
  return place;
}

std::vector<int> ordered(const std::vector<int>& sizes, const std::vector<int>& order) {
  std::vector<int> result;
  for (const int group : order) result.push_back(sizes[at(group)]);
  return result;
}

std::vector<std::pair<int, int>> ordered(std::vector<std::pair<int, int>> couplings, const std::vector<int>& order) {
  const std::vector<int> place = placesIn(order);
  for (auto& [a, b] : couplings) a = place[at(a)], b = place[at(b)];
  return couplings;
}

}  // namespace

LoopBorder::Group::Group(int size) : lu(size), null(size, size), mostPivots(size) {}

LoopBorder::LoopBorder(const std::vector<int>& groupSizes, const std::vector<std::pair<int, int>>& couplings)
    : LoopBorder(groupSizes, couplings, minimumDegreeOrder(std::vector<int>(groupSizes.size(), 0), couplings)) {}

LoopBorder::LoopBorder(const std::vector<int>& sizes, const std::vector<std::pair<int, int>>& couplings,
                       const std::vector<int>& order)
    : pattern_(ordered(sizes, order), ordered(couplings, order)) {
  const std::vector<int> place = placesIn(order);
  for (std::size_t group = 0; group < sizes.size(); ++group)
    for (int row = 0; row < sizes[group]; ++row) places_.push_back({place[group], row});
  for (int number = 0; number < pattern_.blocks(); ++number) {
    const BlockPattern::Entry& entry = pattern_.entry(number);
    blocks_.push_back(MatrixX::Zero(pattern_.size(entry.row), pattern_.size(entry.column)));
    lower_.push_back(entry.row > entry.column ? blocks_.back() : MatrixX());
  }
  for (int k = 0; k < pattern_.nodes(); ++k) {
    groups_.emplace_back(pattern_.size(k));
    if (!pattern_.below(k).empty()) groups_.back().inverse.resize(pattern_.size(k), pattern_.size(k));
  }
  for (VectorX* v : {&scale_, &right_, &present_, &solution_, &root_}) v->setZero(size());
}

int LoopBorder::position(int row) const {
  const Place p = place(row);
  return pattern_.start(p.group) + p.row;
}

double& LoopBorder::entry(int row, int column) {
  const Place r = place(row), c = place(column);
  return block(find(r.group, c.group))(r.row, c.row);
}

void LoopBorder::clear() {
  for (MatrixX& block : blocks_) block.setZero();
  scale_.setZero();
  clearRight();
}

void LoopBorder::factorise() {
  // Redundant rows leave pivots of the size of roundings of what they are made of; singular positions too.
  for (int i = 0; i < size(); ++i) root_[i] = scale_[i] > 0.0 ? 1.0 / std::sqrt(scale_[i]) : 0.0;
  for (int number = 0; number < pattern_.blocks(); ++number) {
    const auto [row, column] = pattern_.entry(number);
    MatrixX& b = block(number);
    for (int j = 0; j < b.cols(); ++j)
      for (int i = 0; i < b.rows(); ++i)
        b(i, j) *= root_[pattern_.start(row) + i] * root_[pattern_.start(column) + j];
  }
  for (int k = 0; k < pattern_.nodes(); ++k) factoriseGroup(k);
}

void LoopBorder::factoriseGroup(int k) {
  Group& group = groups_[at(k)];
  group.lu.matrix() = block(pattern_.diagonal(k));
  group.lu.factorise(vanishing, group.mostPivots);
  findNull(k);
  if (pattern_.below(k).empty()) return;
  group.inverse.setIdentity();
  for (int j = 0; j < group.inverse.cols(); ++j) group.lu.solveInPlace(group.inverse.col(j));
  for (const int number : pattern_.below(k)) lower_[at(number)].noalias() = block(number).lazyProduct(group.inverse);
  for (const BlockPattern::Update& update : pattern_.updates(k))
    block(update.target).noalias() -= lower_[at(update.left)].lazyProduct(block(update.right));
}

/// Gram & Schmidt on what is not determined.
void LoopBorder::findNull(int k) {
  Group& group = groups_[at(k)];
  const int rows = pattern_.size(k), start = pattern_.start(k);
  group.undetermined = 0;
  for (int free = 0; free + group.lu.rank() < rows; ++free) {
    auto n = group.null.col(group.undetermined);
    group.lu.nullVector(free, n);
    for (int i = 0; i < rows; ++i) n[i] *= root_[start + i];
    const double before = n.norm();
    for (int i = 0; i < group.undetermined; ++i) n -= group.null.col(i).dot(n) * group.null.col(i);
    const double length = n.norm();
    if (!(length > 1e-10 * before)) continue;
    n /= length;
    ++group.undetermined;
  }
}

void LoopBorder::solve() {
  const auto part = [&](int k) { return solution_.segment(pattern_.start(k), pattern_.size(k)); };
  solution_ = root_.cwiseProduct(right_);
  for (int k = 0; k < pattern_.nodes(); ++k)
    for (const int number : pattern_.below(k))
      part(pattern_.entry(number).row) -= lower_[at(number)].lazyProduct(part(k));
  for (int k = pattern_.nodes() - 1; k >= 0; --k) {
    for (const int number : pattern_.right(k))
      part(k) -= block(number).lazyProduct(part(pattern_.entry(number).column));
    const Group& group = groups_[at(k)];
    group.lu.solveInPlace(part(k));
    // in the multipliers' own scale, where they are to be small
    const int start = pattern_.start(k), rows = pattern_.size(k);
    for (int n = 0; n < group.undetermined; ++n) {
      double excess = 0.0;
      for (int i = 0; i < rows; ++i)
        excess += group.null(i, n) * (root_[start + i] * solution_[start + i] + present_[start + i]);
      for (int i = 0; i < rows; ++i)
        if (root_[start + i] > 0.0) solution_[start + i] -= excess * group.null(i, n) / root_[start + i];
    }
  }
  solution_ = solution_.cwiseProduct(root_);
}

void LoopBorder::limitRanks() {
  for (Group& group : groups_) group.mostPivots = group.lu.rank();
}

void LoopBorder::freeRanks() {
  for (Group& group : groups_) group.mostPivots = group.lu.size();
}

int LoopBorder::rank() const {
  int sum = 0;
  for (const Group& group : groups_) sum += group.lu.rank();
  return sum;
}

double LoopBorder::leftOver() const {
  double largest = 0.0;
  for (const Group& group : groups_) largest = std::max(largest, group.lu.leftOver());
  return largest;
}

}  // namespace polhode
