#include "math/dependent_columns.h"

#include <cmath>
#include <functional>
#include <queue>

namespace polhode {

namespace {

constexpr int none = -1;

/// What an eliminated column does to those behind it: its entries beside the pivot, divided by the pivot.
struct Eliminated {
  int pivotRow;
  std::vector<std::pair<int, double>> multipliers;
};

/// The column that is worked on, as a dense vector of which the rows that may differ from zero are known.
class WorkColumn {
 public:
  explicit WorkColumn(Eigen::Index rows)
      : values_(static_cast<std::size_t>(rows), 0.0), isTouched_(values_.size(), false) {}

  /// Calls with a row that is touched for the first time.
  template <class OnFirst>
  void add(int row, double value, const OnFirst& onFirst) {
    const auto r = static_cast<std::size_t>(row);
    if (!isTouched_[r]) {
      isTouched_[r] = true;
      touched_.push_back(row);
      onFirst(row);
    }
    values_[r] += value;
  }

  double operator[](int row) const { return values_[static_cast<std::size_t>(row)]; }
  const std::vector<int>& touched() const { return touched_; }

  void clear() {
    for (const int row : touched_) {
      values_[static_cast<std::size_t>(row)] = 0.0;
      isTouched_[static_cast<std::size_t>(row)] = false;
    }
    touched_.clear();
  }

 private:
  std::vector<double> values_;
  std::vector<bool> isTouched_;
  std::vector<int> touched_;
};

}  // namespace

std::vector<int> dependentColumns(const Eigen::SparseMatrix<double>& matrix, double negligible) {
  std::vector<int> dependent;
  std::vector<Eliminated> eliminated;
  std::vector<int> pivotOf(static_cast<std::size_t>(matrix.rows()), none);  // of each row: the eliminated column
  WorkColumn column(matrix.rows());
  for (int c = 0; c < matrix.cols(); ++c) {
    // those before it that act on it, each after all that may still change its pivot's row
    std::priority_queue<int, std::vector<int>, std::greater<>> acting;
    const auto onFirst = [&](int row) {
      if (const int k = pivotOf[static_cast<std::size_t>(row)]; k != none) acting.push(k);
    };
    for (Eigen::SparseMatrix<double>::InnerIterator entry(matrix, c); entry; ++entry)
      column.add(static_cast<int>(entry.row()), entry.value(), onFirst);
    while (!acting.empty()) {
      const Eliminated& before = eliminated[static_cast<std::size_t>(acting.top())];
      acting.pop();
      const double factor = column[before.pivotRow];
      if (factor == 0.0) continue;
      for (const auto& [row, multiplier] : before.multipliers) column.add(row, -factor * multiplier, onFirst);
    }

    Eliminated now{none, {}};
    double largest = negligible;
    for (const int row : column.touched())
      if (pivotOf[static_cast<std::size_t>(row)] == none && std::abs(column[row]) > largest)
        largest = std::abs(column[row]), now.pivotRow = row;
    if (now.pivotRow == none) {
      dependent.push_back(c);
    } else {
      for (const int row : column.touched())
        if (row != now.pivotRow && pivotOf[static_cast<std::size_t>(row)] == none && column[row] != 0.0)
          now.multipliers.emplace_back(row, column[row] / column[now.pivotRow]);
      pivotOf[static_cast<std::size_t>(now.pivotRow)] = static_cast<int>(eliminated.size());
      eliminated.push_back(std::move(now));
    }
    column.clear();
  }
  return dependent;
}

}  // namespace polhode
