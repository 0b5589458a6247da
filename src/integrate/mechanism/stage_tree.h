#pragma once

#include "math/border_reach.h"
#include "math/lanes.h"
#include "system/mechanism.h"

#include <vector>

/// Inertia and joints of a mechanism at several stages of a step at once, a stage in each lane of the vector registers
/// (math/lanes.h). For each stage this is the system
///
///     A_b z_b - G_b^T l_b - R_b^T m + (what its children add) = f_b
///     G_b z_b + G'_b z_p                                      = g_b,      - G'_b^T l_b is added to the left side of the parent
///     sum_b R_b z_b                                           = d         (the border: joints that close loops)
///
/// with the symmetric inertia A of each body and the rows G of the joint that ties it to its parent p. It is eliminated from the
/// leaves to the root, with A = L P L^T and the compliance of the joint's rows K = G A^-1 G^T = Q T Q^T:
///
///     B = L^-1 G^T,   C = Q^-1 G',   y = L^-1 f,   t = Q^-1 (g - B^T P^-1 y)
///     A_p += C^T T^-1 C,   f_p += C^T T^-1 t
///     l = Q^-T T^-1 (t - C z_p),   z = L^-T P^-1 (y + B l)
///
/// and the border's rows are handed on with u = L^-1 R^T, w = Q^-1 B^T P^-1 u:
///
///     D += u^T P^-1 u - w^T T^-1 w,   R_p -= w^T T^-1 C,   d -= u^T P^-1 y + w^T T^-1 t
///
/// Nothing here branches on numbers, so that all lanes go the same way. No row of the border may repeat others.
///
/// Reference: the articulated-body recursion (Featherstone 1983), in the form of compliances.
namespace polhode {

class StageTree {
 public:
  using Lane = Lanes<lanesOfRegister>;
  static constexpr int lanes = lanesOfRegister;
  static constexpr int largestBorder = 128;  // rows; it is one dense matrix

  struct Node {
    int parent = -1, rows = 0;
    Lane A[6][6];               // the lower triangle
    Lane G[6][6], above[6][6];  // a row each, by this node's and by its parent's motion
    Lane f[6], g[6];
    Lane z[6], l[6];  // solution
  };

  /// `border`: how many rows there are in each part of it, and at which nodes.
  StageTree(const Mechanism& mechanism, const std::vector<int>& nodeOf, const std::vector<BorderPart>& border);

  Node& node(int b) { return nodes_[static_cast<std::size_t>(b)]; }

  /// Row R of an unknown of the border at a node that its joint holds, six numbers.
  Lane* borderRow(int b, int unknown);
  Lane& right(int unknown) { return right_[static_cast<std::size_t>(unknown)]; }
  Lane solution(int unknown) const { return right_[static_cast<std::size_t>(unknown)]; }

  /// Sets all rows of the border to zero, which are then added to.
  void clearBorder();

  /// False where no inertia resists some motion.
  bool factorise();
  void solve();

 private:
  /// What elimination leaves for the way back: L and Q below their diagonals, which hold 1/P and 1/T; B by rows of the joint.
  struct Kept {
    Lane Q[6][6], B[6][6], C[6][6], y[6], t[6];
  };
  /// A row of the border where a node knows it.
  struct Known {
    int unknown;
    std::size_t atParent;  // its place there
    Lane row[6], u[6], w[6];
  };

  bool factorise(int b);
  template <int rows>
  void reduce(int b);
  template <int rows>
  void substitute(int b);
  bool factoriseBorder();
  void solveBorder();
  Lane& D(int i, int j) { return border_[static_cast<std::size_t>(i * size_ + j)]; }

  std::vector<Node> nodes_;
  std::vector<Kept> kept_;
  std::vector<std::vector<Known>> known_;  // of each node
  int size_ = 0;
  std::vector<Lane> border_, scale_, right_;  // scale_: what may cancel in the diagonal
};

}  // namespace polhode
