#pragma once

#include "polhode/math/pivoted_lu.h"
#include "polhode/math/types.h"

#include <span>
#include <vector>

/// Linear systems with the shape of a tree, and a border for what closes loops. Each node b has six unknowns z_b, a parent
/// p and up to six rows that tie z_b to z_p, each with a multiplier:
///
///     A_b z_b + C_b z_p + H_b^T l_b + F_b m + (what its children add) = f_b
///     P_b z_b + H'_b^T l_b                                           is added to the left side of the parent
///     G_b z_b + G'_b z_p                                              = g_b
///     sum_b R_b z_b + D m                                             = d     (the border)
///
/// A, and G against H, need not be symmetric. Eliminated from the leaves to the root: with G_b N = 0, G_b S = I and
/// H_b N^ = 0, H_b S^ = I (the joint's own null space and a complement),
///
///     z_b = N q + Y z_p + S g,   Y = -S G',   Y^ = -S^ H'
///     M q = N^T^ (f - F m - A S g - (A Y + C) z_p),   M = N^T^ A N
///     l   = S^T^ (f - F m - A z_b - C z_p)
///
/// so that only M, with as many rows as the joint leaves free, is inverted; bodies without inertia need nothing special as
/// long as M can be. The parent's A, f, F, R take what is left. A tree has no fill, and the cost is linear in the nodes.
///
/// Reference: this is the articulated-body recursion (Featherstone 1983) for two different Jacobians, one of the joint's
/// force and one of its gap.
namespace polhode {

using Vector6 = Eigen::Matrix<double, 6, 1>;
using Matrix6 = Eigen::Matrix<double, 6, 6>;
using SixRows = Eigen::Matrix<double, Eigen::Dynamic, 6, Eigen::ColMajor, 6, 6>;
using SixColumns = Eigen::Matrix<double, 6, Eigen::Dynamic, Eigen::ColMajor, 6, 6>;
using UpToSix = Eigen::Matrix<double, Eigen::Dynamic, 1, Eigen::ColMajor, 6, 1>;

/// From r rows G of full rank: N with G N = 0 and S with G S = I, by elimination with full pivoting.
void splitUnknowns(const SixRows& G, SixColumns& N, SixColumns& S);

/// A node's part of the system, and after the solution its unknowns.
struct TreeNode {
  Matrix6 A, C, P;
  bool coupled = false;            // whether C and P are there
  SixRows G, parentG, H, parentH;  // a row each, wrt the node and wrt its parent
  Vector6 f;
  UpToSix g;

  Vector6 z;  // solution
  UpToSix l;
};

class TreeSystem {
 public:
  /// `parent[b] < b`, or -1; `rows[b]` from 0 to 6; `borderOf[b]` the unknowns of the border that node b knows, ascending.
  TreeSystem(std::vector<int> parent, std::vector<int> rows, int border, std::vector<std::vector<int>> borderOf);

  int size() const { return static_cast<int>(nodes_.size()); }
  int border() const { return border_; }
  TreeNode& node(int b) { return nodes_[static_cast<std::size_t>(b)]; }
  const TreeNode& node(int b) const { return nodes_[static_cast<std::size_t>(b)]; }

  /// Sets everything to zero, or the right-hand sides only (but for the rows' g, which are as they were set).
  void clear();
  void clearRight();

  /// Column F_b and row R_b of border unknown k at node b, which must know it.
  Eigen::Map<Vector6> borderColumn(int b, int k);
  Eigen::Map<Vector6> borderRow(int b, int k);
  double& borderEntry(int row, int column) { return D_(row, column); }
  double& borderRight(int row) { return d_[row]; }
  double borderSolution(int k) const { return m_[k]; }

  /// What the border's unknowns are corrections of: the solution is then chosen so that nothing of what the border does not
  /// determine is left in the sum of both.
  double& borderPresent(int k) { return present_[k]; }

  /// How many pivots the border may have at most, where some of its rows are known to depend on the others.
  void limitBorderRank(int rank) { borderRankLimit_ = rank; }
  int borderRankLimit() const { return borderRankLimit_; }

  /// What the limit left over, relative to what the entries are made of.
  double borderLeftOver() const { return borderLu_.leftOver(); }

  /// Takes the matrix apart; then any number of right-hand sides can be solved. What no pivot determines stays zero; see
  /// deficientNode().
  void factorise();
  void solve();

  /// A node whose M was singular although its right-hand side was not zero; -1 if there is none.
  int deficientNode() const { return deficientNode_; }
  int borderRank() const { return borderLu_.rank(); }

 private:
  /// What elimination leaves for the way back.
  struct Kept {
    SixColumns N, S, NLeft, SLeft;
    SixRows Q;               // M^-1 N^T^
    Matrix6 Y, YLeft, E, B;  // E = A Y + C, B = Y^T^ A + P
    Vector6 load;            // f - A S g
    bool deficient = false;  // whether M was singular
  };

  void factorise(int b);
  void factoriseBorderOf(int b);
  void factoriseBorder();
  void reduce(int b);
  void solveBorder();
  void substitute(int b);
  std::size_t slot(int b, int k) const;
  std::span<const int> knownBorder(int b) const;

  std::vector<int> parent_, rows_;
  int border_;
  std::vector<TreeNode> nodes_;
  std::vector<Kept> kept_;
  std::vector<std::size_t> borderStart_;
  std::vector<int> borderIndex_;
  std::vector<double> columns_, rowsOfBorder_;  // six numbers for each known border unknown
  MatrixX D_;
  VectorX d_, m_, present_, borderScale_;  // the last: what each diagonal entry of the border is made of
  PivotedLu<> borderLu_;
  MatrixX null_;  // what the border does not determine: the first columns, orthonormal
  int undetermined_ = 0;
  PivotedLu<6> pivot_;
  int deficientNode_ = -1, borderRankLimit_;
};

}  // namespace polhode
