#pragma once

#include "polhode/math/types.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

namespace polhode {

/// LU factors of a square matrix with pivoting that stop where the pivots vanish: what the matrix does not determine
/// stays zero in the solution. The pivot is the largest entry of the diagonal where it outweighs its column, which is the
/// largest entry of all in a definite matrix and takes n comparisons to find; elsewhere the largest entry of all. Everything
/// is allocated at construction.
template <int MaxSize = Eigen::Dynamic, class Scalar = double>
class PivotedLu {
 public:
  using Matrix = Eigen::Matrix<Scalar, Eigen::Dynamic, Eigen::Dynamic, Eigen::ColMajor, MaxSize, MaxSize>;
  using Column = Eigen::Matrix<Scalar, Eigen::Dynamic, 1, Eigen::ColMajor, MaxSize, 1>;

  explicit PivotedLu(int size = 0) { resize(size); }

  void resize(int size) {
    lu_.setZero(size, size);
    work_.setZero(size);
    rows_.setZero(size);
    columns_.setZero(size);
    rank_ = 0;
  }

  /// Takes the matrix apart that is in matrix(). Pivots below `smallest` count as zero; there are at most `mostPivots`.
  void factorise(double smallest, int mostPivots = std::numeric_limits<int>::max()) {
    const int n = static_cast<int>(lu_.rows());
    for (int i = 0; i < n; ++i) rows_[i] = columns_[i] = i;
    for (rank_ = 0; rank_ < n; ++rank_) {
      const auto [row, column, largest] = pivot(smallest);
      leftOver_ = largest;
      if (!(largest > smallest) || rank_ >= mostPivots) return;
      swap(row, column);
      const Scalar inverse = 1.0 / lu_(rank_, rank_);
      for (int i = rank_ + 1; i < n; ++i) lu_(i, rank_) *= inverse;
      for (int j = rank_ + 1; j < n; ++j) {
        const Scalar factor = lu_(rank_, j);
        if (factor == 0.0) continue;
        for (int i = rank_ + 1; i < n; ++i) lu_(i, j) -= factor * lu_(i, rank_);
      }
    }
    leftOver_ = 0.0;
  }

  /// The solution for one right-hand side, in place.
  template <class Right>
  void solveInPlace(Right&& b) const {
    const int n = static_cast<int>(lu_.rows());
    for (int i = 0; i < n; ++i) work_[i] = b[rows_[i]];
    for (int k = 0; k < rank_; ++k)
      for (int i = k + 1; i < rank_; ++i) work_[i] -= lu_(i, k) * work_[k];
    for (int k = rank_ - 1; k >= 0; --k) {
      work_[k] /= lu_(k, k);
      for (int i = 0; i < k; ++i) work_[i] -= lu_(i, k) * work_[k];
    }
    for (int i = 0; i < n; ++i) b[columns_[i]] = i < rank_ ? work_[i] : Scalar(0.0);
  }

  /// The vector number k (from 0 to size - rank - 1) of those that the matrix takes to zero.
  template <class Null>
  void nullVector(int k, Null&& n) const {
    const int column = rank_ + k;
    for (int i = 0; i < rank_; ++i) work_[i] = -lu_(i, column);
    for (int i = rank_ - 1; i >= 0; --i) {
      work_[i] /= lu_(i, i);
      for (int j = 0; j < i; ++j) work_[j] -= lu_(j, i) * work_[i];
    }
    for (int i = 0; i < size(); ++i) n[columns_[i]] = i < rank_ ? work_[i] : Scalar(i == column ? 1.0 : 0.0);
  }

  /// Whether a row has one of the pivots, so that the right-hand side counts there.
  bool hasPivot(int row) const {
    for (int i = 0; i < rank_; ++i)
      if (rows_[i] == row) return true;
    return false;
  }

  Matrix& matrix() { return lu_; }
  int rank() const { return rank_; }
  double leftOver() const { return leftOver_; }  // the largest entry that no pivot has dealt with
  int size() const { return static_cast<int>(lu_.rows()); }

 private:
  struct Pivot {
    int row, column;
    double size;
  };

  /// The next pivot; not finite entries count as the largest.
  Pivot pivot(double smallest) const {
    const int n = static_cast<int>(lu_.rows());
    Pivot best{rank_, rank_, 0.0};
    for (int i = rank_; i < n; ++i)
      if (!(std::abs(lu_(i, i)) <= best.size)) best = {i, i, std::abs(lu_(i, i))};
    double inColumn = 0.0;
    for (int i = rank_; i < n; ++i) inColumn = std::max(inColumn, std::abs(lu_(i, best.column)));
    if (best.size > smallest && 2.0 * best.size >= inColumn) return best;

    for (int j = rank_; j < n; ++j)
      for (int i = rank_; i < n; ++i)
        if (!(std::abs(lu_(i, j)) <= best.size)) best = {i, j, std::abs(lu_(i, j))};
    return best;
  }

  void swap(int row, int column) {
    if (row != rank_) {
      lu_.row(row).swap(lu_.row(rank_));
      std::swap(rows_[row], rows_[rank_]);
    }
    if (column != rank_) {
      lu_.col(column).swap(lu_.col(rank_));
      std::swap(columns_[column], columns_[rank_]);
    }
  }

  using Indices = Eigen::Matrix<int, Eigen::Dynamic, 1, Eigen::ColMajor, MaxSize, 1>;
  Matrix lu_;
  mutable Column work_;
  Indices rows_, columns_;
  int rank_ = 0;
  double leftOver_ = 0.0;
};

}  // namespace polhode
