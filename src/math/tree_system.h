#pragma once

#include "math/border_places.h"
#include "math/pivoted_lu.h"
#include "math/split_unknowns.h"

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
/// The border: the rows and columns of its unknowns are handed on from node to node as well. Where it is small it is solved
/// as a whole, when the root has been reached. Where it is large its parts are at home in the node on which both of their
/// nodes hang, where their loop closes, and are eliminated there; the cost is then linear in the loops, too:
///
///     m = D^-1 (d - R_b z_b - ...),   A_b -= F_b D^-1 R_b,   f_b -= F_b D^-1 d
///
/// Reference: this is the articulated-body recursion (Featherstone 1983) for two different Jacobians, one of the joint's
/// force and one of its gap.
namespace polhode {

using Vector6 = Eigen::Matrix<double, 6, 1>;
using Matrix6 = Eigen::Matrix<double, 6, 6>;

/// A node's part of the system, and after the solution its unknowns.
template <class Scalar>
struct TreeNodeOf {
  using Vector6 = Eigen::Matrix<Scalar, 6, 1>;
  using Matrix6 = Eigen::Matrix<Scalar, 6, 6>;
  using SixRows = SixRowsOf<Scalar>;
  using UpToSix = Eigen::Matrix<Scalar, Eigen::Dynamic, 1, Eigen::ColMajor, 6, 1>;

  Matrix6 A, C, P;
  bool coupled = false;            // whether C and P are there
  SixRows G, parentG, H, parentH;  // a row each, wrt the node and wrt its parent
  Vector6 f;
  UpToSix g;

  Vector6 z;  // solution
  UpToSix l;
};

/// Over real numbers, or complex ones (without conjugation anywhere).
template <class Scalar>
class TreeSystemOf {
 public:
  using TreeNode = TreeNodeOf<Scalar>;
  using Vector6 = typename TreeNode::Vector6;
  using Matrix6 = typename TreeNode::Matrix6;
  using UpToSix = typename TreeNode::UpToSix;
  using SixRows = SixRowsOf<Scalar>;
  using SixColumns = SixColumnsOf<Scalar>;
  using LoopBorder = LoopBorderOf<Scalar>;

  static constexpr int usuallySmall = 60;

  /// `parent[b] < b`, or -1; `rows[b]` from 0 to 6.
  /// A border of up to `smallBorder` unknowns is one dense matrix.
  TreeSystemOf(std::vector<int> parent, std::vector<int> rows, const std::vector<BorderPart>& border,
               int smallBorder = usuallySmall);

  int size() const { return static_cast<int>(nodes_.size()); }
  TreeNode& node(int b) { return nodes_[static_cast<std::size_t>(b)]; }
  const TreeNode& node(int b) const { return nodes_[static_cast<std::size_t>(b)]; }

  /// The unknowns of the border are numbered in the order of its parts.
  LoopBorder& border() { return border_; }

  /// Column F_b and row R_b of unknown number i of a part at node b, which must know it.
  Eigen::Map<Vector6> borderColumn(int b, int part, int i) { return at(columns_, slot(b, part, i)); }
  Eigen::Map<Vector6> borderRow(int b, int part, int i) { return at(rowsOfBorder_, slot(b, part, i)); }
  int firstUnknown(int number) const { return places_.part(number).first; }

  /// Sets everything to zero, or the right-hand sides only (but for the rows' g, which are as they were set).
  void clear();
  void clearRight();

  /// Takes the matrix apart; then any number of right-hand sides can be solved. What no pivot determines stays zero; see
  /// deficientNode().
  void factorise();
  void solve();

  /// A node whose M was singular although its right-hand side was not zero; -1 if there is none.
  int deficientNode() const { return deficientNode_; }

 private:
  /// What elimination leaves for the way back.
  struct Kept {
    SixColumns N, S, NLeft, SLeft;
    SixRows Q;               // M^-1 N^T^
    Matrix6 Y, YLeft, E, B;  // E = A Y + C, B = Y^T^ A + P
    Vector6 load;            // f - A S g
    bool deficient = false;  // whether M was singular
  };

  TreeSystemOf(std::vector<int> parent, std::vector<int> rows, const std::vector<BorderPart>& border,
               const BorderReach& reach);

  using SixWide = Eigen::Map<Eigen::Matrix<Scalar, 6, Eigen::Dynamic>>;
  SixWide wide(std::vector<Scalar>& values, std::size_t slot, int size) {
    return SixWide(values.data() + 6 * slot, 6, size);
  }
  const BorderPlaces::Part& part(int number) const { return places_.part(number); }
  void findFreeScale(int b);
  void factoriseHomed(int b);
  void reduceHomed(int b);
  void solveHomed(int b);
  void factorise(int b);
  void factoriseBorderOf(int b);
  void reduce(int b);
  void substitute(int b);
  std::size_t slot(int b, int part, int i) const { return places_.slot(b, part) + static_cast<std::size_t>(i); }
  static Eigen::Map<Vector6> at(std::vector<Scalar>& values, std::size_t slot) {
    return Eigen::Map<Vector6>(values.data() + 6 * slot);
  }

  std::vector<int> parent_, rows_;
  LoopBorder border_;
  std::vector<TreeNode> nodes_;
  std::vector<Kept> kept_;
  BorderPlaces places_;
  std::vector<Scalar> columns_, rowsOfBorder_;  // six numbers for each unknown that a node knows: F and R^T
  std::vector<Scalar> homedColumns_;            // F D^-1 of parts at home
  PivotedLu<6, Scalar> pivot_;
  int deficientNode_ = -1;
};

extern template class TreeSystemOf<double>;
extern template class TreeSystemOf<std::complex<double>>;
using TreeNode = TreeNodeOf<double>;
using TreeSystem = TreeSystemOf<double>;

}  // namespace polhode
