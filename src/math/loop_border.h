#pragma once

#include "math/block_pattern.h"
#include "math/pivoted_lu.h"
#include "polhode/math/types.h"

#include <complex>
#include <utility>
#include <vector>

/// The border of a tree system (tree_system.h): D m = d for the multipliers m of the joints that close loops. Rows may
/// depend on others; what is not determined is found by its vanishing pivots.
///
/// The rows form groups that are eliminated one after the other, with pivoting inside of each. With one group this is a
/// dense matrix, and of all solutions the one is taken that leaves nothing undetermined in the multipliers (the smallest);
/// with a group for each loop the cost grows linearly with the loops if each touches few others, and the multipliers are
/// the smallest in each loop, those of the loops behind it given.
namespace polhode {

template <class Scalar>
class LoopBorderOf {
 public:
  using Matrix = Eigen::Matrix<Scalar, Eigen::Dynamic, Eigen::Dynamic>;
  using Vector = Eigen::Matrix<Scalar, Eigen::Dynamic, 1>;

  /// How many rows each group has, and which pairs of groups are coupled. Groups of a lower phase are eliminated before
  /// those of a higher one; each group of a phase that is not negative is left to the caller, group by group.
  LoopBorderOf(const std::vector<int>& groupSizes, const std::vector<int>& phases,
               const std::vector<std::pair<int, int>>& couplings);

  int size() const { return pattern_.unknowns(); }
  const BlockPattern& pattern() const { return pattern_; }  // of the groups in the order of their elimination

  /// Of a row: the group's place in the elimination, and the row's place in the group.
  struct Place {
    int group, row;
  };
  Place place(int row) const { return places_[static_cast<std::size_t>(row)]; }
  Matrix& block(int number) { return blocks_[static_cast<std::size_t>(number)]; }
  Scalar& entry(int row, int column);

  /// What the diagonal entry of a row is made of: the sizes of what may cancel in it.
  double& scale(int row) { return scale_[position(row)]; }
  /// What it would be made of if no joint held the nodes.
  double& freeScale(int row) { return freeScale_[position(row)]; }
  Scalar& right(int row) { return right_[position(row)]; }
  Scalar& present(int row) { return present_[position(row)]; }  // what the solution is added to
  Scalar solution(int row) const { return solution_[position(row)]; }

  void clear();
  void clearRight() { right_.setZero(); }

  /// All groups but those that are left to the caller.
  void factorise();
  void solve();

  /// One group, at its turn: takes its matrix apart and it out of those behind it; takes its right-hand side out of
  /// theirs; and, when these have been solved, solves it.
  void factorise(int group);
  void reduce(int group);
  void solve(int group);
  /// The inverse of what has pivots; its columns are zero but for those that are `determined`, as are those of `lower`.
  const std::vector<int>& determined(int group) const { return groups_[static_cast<std::size_t>(group)].determined; }
  const Matrix& inverse(int group) const { return groups_[static_cast<std::size_t>(group)].inverse; }
  const Matrix& lower(int number) const { return lower_[static_cast<std::size_t>(number)]; }  // L_ik of a block below

  /// From now on no group may have more pivots than it had in the last factorisation; or as many as it has rows. Where
  /// there is one group its rank may be known.
  void limitRanks();
  void freeRanks();
  void limitRank(int most) { groups_.front().mostPivots = most; }

  /// These limits (integrate/archive.h).
  template <class Archive>
  void persist(Archive& archive) {
    for (Group& group : groups_) archive(group.mostPivots);
  }

  /// What the limits left over, relative to what the entries would be made of if no joint held the nodes.
  double leftOver() const;

 private:
  struct Group {
    PivotedLu<Eigen::Dynamic, Scalar> lu;
    Matrix inverse;  // of what has pivots
    Matrix null;     // what has none: the first columns, orthonormal
    int undetermined = 0, mostPivots;
    std::vector<int> all, determined;  // rows
    explicit Group(int size);
  };

  LoopBorderOf(const std::vector<int>& sizes, int callers, const std::vector<std::pair<int, int>>& couplings,
               const std::vector<int>& order);
  Eigen::Index position(int row) const { return positions_[static_cast<std::size_t>(row)]; }
  void findNull(int group);

  int callers_;  // how many groups, the first, are left to the caller
  BlockPattern pattern_;
  std::vector<Place> places_;
  std::vector<Eigen::Index> positions_;  // of each row among all in the order of elimination
  std::vector<Matrix> blocks_, lower_;   // lower_: L_ik for the blocks below the diagonal
  std::vector<Group> groups_;
  VectorX scale_, freeScale_, root_;  // root_: 1/sqrt(scale)
  Vector right_, present_, solution_;
};

extern template class LoopBorderOf<double>;
extern template class LoopBorderOf<std::complex<double>>;
using LoopBorder = LoopBorderOf<double>;

}  // namespace polhode
