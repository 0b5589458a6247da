#include "math/loop_border.h"

#include "math/index.h"

#include <algorithm>
#include <cmath>

namespace polhode {
namespace {

constexpr double vanishingLoopPivot = 1e-10;  // of a pivot, relative to the sizes that it is made of

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

/// The phases with those behind all others that are negative.
std::vector<int> lastWhereNegative(std::vector<int> phases) {
  const int last = phases.empty() ? 0 : 1 + *std::max_element(phases.begin(), phases.end());
  for (int& phase : phases)
    if (phase < 0) phase = std::max(last, 0);
  return phases;
}

/// target += sign * (left's columns times right's rows, those of `which` alone).
template <int Rows, class Matrix>
void addSome(Matrix& target, double sign, const Matrix& left, const Matrix& right, const std::vector<int>& which) {
  using Scalar = typename Matrix::Scalar;
  const Eigen::Index rows = Rows > 0 ? Rows : target.rows(), inner = right.rows();
  for (Eigen::Index j = 0; j < target.cols(); ++j) {
    Scalar* const sum = target.data() + j * rows;
    for (const int k : which) {
      const Scalar factor = sign * right.data()[j * inner + k];
      if (factor == 0.0) continue;  // as of all that holds a plane mechanism in its plane
      const Scalar* const column = left.data() + k * rows;
      for (Eigen::Index i = 0; i < rows; ++i) sum[i] += column[i] * factor;
    }
  }
}

/// The same; the compiler knows how many rows small blocks have.
template <class Matrix>
void addProduct(Matrix& target, double sign, const Matrix& left, const Matrix& right, const std::vector<int>& which) {
  switch (target.rows()) {
    case 2:
      return addSome<2>(target, sign, left, right, which);
    case 3:
      return addSome<3>(target, sign, left, right, which);
    case 4:
      return addSome<4>(target, sign, left, right, which);
    case 5:
      return addSome<5>(target, sign, left, right, which);
    default:
      return addSome<0>(target, sign, left, right, which);
  }
}

double conjugate(double x) {
  return x;
}
std::complex<double> conjugate(const std::complex<double>& x) {
  return std::conj(x);
}

}  // namespace

template <class Scalar>
LoopBorderOf<Scalar>::Group::Group(int size) : lu(size), null(size, size), mostPivots(size) {
  for (int i = 0; i < size; ++i) all.push_back(i);
  determined.reserve(all.size());
}

template <class Scalar>
LoopBorderOf<Scalar>::LoopBorderOf(const std::vector<int>& groupSizes, const std::vector<int>& phases,
                                   const std::vector<std::pair<int, int>>& couplings)
    : LoopBorderOf(groupSizes,
                   static_cast<int>(std::count_if(phases.begin(), phases.end(), [](int p) { return p >= 0; })),
                   couplings, minimumDegreeOrder(lastWhereNegative(phases), couplings)) {}

template <class Scalar>
LoopBorderOf<Scalar>::LoopBorderOf(const std::vector<int>& sizes, int callers,
                                   const std::vector<std::pair<int, int>>& couplings, const std::vector<int>& order)
    : callers_(callers), pattern_(ordered(sizes, order), ordered(couplings, order)) {
  const std::vector<int> place = placesIn(order);
  for (std::size_t group = 0; group < sizes.size(); ++group)
    for (int row = 0; row < sizes[group]; ++row) {
      places_.push_back({place[group], row});
      positions_.push_back(pattern_.start(place[group]) + row);
    }
  for (int number = 0; number < pattern_.blocks(); ++number) {
    const BlockPattern::Entry& entry = pattern_.entry(number);
    blocks_.push_back(Matrix::Zero(pattern_.size(entry.row), pattern_.size(entry.column)));
    lower_.push_back(entry.row > entry.column ? blocks_.back() : Matrix());
  }
  for (int k = 0; k < pattern_.nodes(); ++k) {
    groups_.emplace_back(pattern_.size(k));
    if (k < callers_ || !pattern_.below(k).empty()) groups_.back().inverse.resize(pattern_.size(k), pattern_.size(k));
  }
  for (VectorX* v : {&scale_, &freeScale_, &root_}) v->setZero(size());
  for (Vector* v : {&right_, &present_, &solution_}) v->setZero(size());
}

template <class Scalar>
Scalar& LoopBorderOf<Scalar>::entry(int row, int column) {
  const Place r = place(row), c = place(column);
  return block(pattern_.find(r.group, c.group))(r.row, c.row);
}

template <class Scalar>
void LoopBorderOf<Scalar>::clear() {
  for (Matrix& block : blocks_) block.setZero();
  scale_.setZero();
  freeScale_.setZero();
  clearRight();
}

template <class Scalar>
void LoopBorderOf<Scalar>::factorise() {
  for (int k = callers_; k < pattern_.nodes(); ++k) factorise(k);
}

template <class Scalar>
void LoopBorderOf<Scalar>::factorise(int k) {
  Group& group = groups_[at(k)];
  const int rows = pattern_.size(k), start = pattern_.start(k);
  // Redundant rows leave pivots of the size of roundings of what they are made of; singular positions too. Where the joints
  // are still open between iterations they leave more, but little beside what free nodes would.
  for (int i = start; i < start + rows; ++i) {
    scale_[i] = std::max(scale_[i], 1e-3 * freeScale_[i]);
    root_[i] = scale_[i] > 0.0 ? 1.0 / std::sqrt(scale_[i]) : 0.0;
  }
  const Matrix& diagonal = block(pattern_.diagonal(k));
  for (int j = 0; j < rows; ++j)
    for (int i = 0; i < rows; ++i) group.lu.matrix()(i, j) = root_[start + i] * diagonal(i, j) * root_[start + j];
  group.lu.factorise(vanishingLoopPivot, group.mostPivots);
  findNull(k);
  if (group.inverse.size() == 0) return;
  group.inverse.setZero();
  group.determined.clear();
  for (int j = 0; j < rows; ++j) {
    if (!group.lu.hasPivot(j)) continue;
    group.determined.push_back(j);
    auto column = group.inverse.col(j);
    column[j] = root_[start + j];
    group.lu.solveInPlace(column);
    for (int i = 0; i < rows; ++i) column[i] *= root_[start + i];
  }
  for (const int number : pattern_.below(k)) {
    lower_[at(number)].setZero();
    addProduct(lower_[at(number)], 1.0, block(number), group.inverse, group.all);
  }
  for (const BlockPattern::Update& update : pattern_.updates(k))
    addProduct(block(update.target), -1.0, lower_[at(update.left)], block(update.right), group.determined);
}

/// Gram & Schmidt on what is not determined.
template <class Scalar>
void LoopBorderOf<Scalar>::findNull(int k) {
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

template <class Scalar>
void LoopBorderOf<Scalar>::solve() {
  for (int k = callers_; k < pattern_.nodes(); ++k) reduce(k);
  for (int k = pattern_.nodes() - 1; k >= callers_; --k) solve(k);
}

template <class Scalar>
void LoopBorderOf<Scalar>::reduce(int k) {
  const Scalar* const own = right_.data() + pattern_.start(k);
  for (const int number : pattern_.below(k)) {
    Scalar* const other = right_.data() + pattern_.start(pattern_.entry(number).row);
    const Matrix& lower = lower_[at(number)];
    for (const int j : groups_[at(k)].determined)
      for (Eigen::Index i = 0; i < lower.rows(); ++i) other[i] -= lower(i, j) * own[j];
  }
}

template <class Scalar>
void LoopBorderOf<Scalar>::solve(int k) {
  const int start = pattern_.start(k), rows = pattern_.size(k);
  auto own = solution_.segment(start, rows);
  own = right_.segment(start, rows);
  for (const int number : pattern_.right(k)) {
    const Matrix& upper = block(number);
    const Scalar* const other = solution_.data() + pattern_.start(pattern_.entry(number).column);
    for (Eigen::Index j = 0; j < upper.cols(); ++j)
      for (int i = 0; i < rows; ++i) own[i] -= upper(i, j) * other[j];
  }
  for (int i = 0; i < rows; ++i) own[i] *= root_[start + i];
  const Group& group = groups_[at(k)];
  group.lu.solveInPlace(own);
  for (int i = 0; i < rows; ++i) own[i] *= root_[start + i];
  for (int n = 0; n < group.undetermined; ++n) {
    Scalar excess = 0.0;
    for (int i = 0; i < rows; ++i) excess += conjugate(group.null(i, n)) * (own[i] + present_[start + i]);
    for (int i = 0; i < rows; ++i) own[i] -= excess * group.null(i, n);
  }
}

template <class Scalar>
void LoopBorderOf<Scalar>::limitRanks() {
  for (Group& group : groups_) group.mostPivots = group.lu.rank();
}

template <class Scalar>
void LoopBorderOf<Scalar>::freeRanks() {
  for (Group& group : groups_) group.mostPivots = group.lu.size();
}

template <class Scalar>
double LoopBorderOf<Scalar>::leftOver() const {
  double largest = 0.0;
  for (int k = 0; k < pattern_.nodes(); ++k) {
    double heldBack = 0.0;  // how much of the freedom is there at most
    for (int i = pattern_.start(k); i < pattern_.start(k) + pattern_.size(k); ++i)
      if (freeScale_[i] > 0.0) heldBack = std::max(heldBack, scale_[i] / freeScale_[i]);
    largest = std::max(largest, heldBack * groups_[at(k)].lu.leftOver());
  }
  return largest;
}

template class LoopBorderOf<double>;
template class LoopBorderOf<std::complex<double>>;

}  // namespace polhode
