#pragma once

#include "integrate/mechanism/articulated.h"
#include "integrate/mechanism/mechanism_state.h"
#include "integrate/mechanism/tree_kernel.h"
#include "math/border_places.h"
#include "system/redundancy.h"

#include <vector>

/// Joints that close loops of a tree of ball joints and hinges (tree_kernel.h): what they pull, and the border that they add to
/// the linear systems of a step (tree_system.h says how it is handed on and solved). With a column F of unknown multipliers
/// and a row R of the gap's gradient at each node, by place and turn, a joint of the tree hands on what it does not take:
///
///     own turn   o = (what the elimination makes of F),   F to the parent: what is left of F
///     row        r = R seen from the joint's point, R to the parent: r without what the own turn does
///     border     D -= r o,   d -= r (the own turn of the right-hand side)
///
/// A hinge has one number for o and one for r, a ball joint three; so a loop of hinges costs little more than its bodies.
namespace polhode {

class TreeLoops {
 public:
  /// Whether every joint that closes a loop holds points or axes against each other and follows no signal.
  static bool fit(const Mechanism& mechanism);

  /// The pieces of the tree: no loop leaves a branch, so that these need nothing of each other's border.
  static TreePieces piecesOf(const Mechanism& mechanism);

  /// `nodeOf` each body, in the order of the pieces.
  TreeLoops(const Mechanism& mechanism, std::vector<int> nodeOf, const TreePieces& pieces);

  bool empty() const { return joints_.empty(); }

  /// Forms the border, and what the joints pull with the multipliers as they are: from here on `pull`, `stiffness` and
  /// `widestGap` tell.
  template <bool factorise>
  void assemble(double h, const MechanismState& state, TreeKernel<double>& kernel);

  // What the joints do to the body of a node, force and torque, and what this takes away from its matrix, times the step;
  // whoever pulls as well adds to it. Springs across the hinge that holds the body are kept apart.
  TreeLoad<double>& pull(std::size_t node) { return pulls_[node]; }
  Articulated<double>& stiffness(std::size_t node) { return stiffness_[node]; }
  const SprungJoint<double>* springs(std::size_t node) const { return isSprung_[node] ? &springs_[node] : nullptr; }
  SprungJoint<double>& spring(std::size_t node) {
    isSprung_[node] = true;
    return springs_[node];
  }

  // What the kernel calls at each node from the leaves to the root: loops that close there, then its own joint.
  template <bool factorise>
  void close(std::size_t node, Articulated<double>& matrix, Vector3& onPlace, Vector3& onTurn);
  template <bool factorise, class Elimination>
  void handOn(std::size_t node, const Elimination& joint);

  /// Between the way to the root and the way back.
  template <bool factorise>
  void solve() {
    if (factorise) border_.factorise();
    border_.solve();
  }

  // And on the way back: what the multipliers turn its body by, and then, when its motion is known, the loops that close there.
  Vector3 turn(std::size_t node) const;
  void closeBack(std::size_t node, const Vector3& motion, const Vector3& turn);

  /// Adds the solution to the multipliers.
  void correct();

  /// The joint that is open widest, relative to what it may be, and by how much, in metres or radians.
  struct Gap {
    double relative = 0.0, opening = 0.0;
    int joint = -1;
  };
  Gap widestGap() const { return widest_; }

  std::size_t pieceOf(std::size_t node) const { return static_cast<std::size_t>(pieceOf_[node]); }

  VectorX& multipliers() { return multipliers_; }  // in the order of the joints that close loops
  const VectorX& multipliers() const { return multipliers_; }
  const std::vector<int>& joints() const { return joints_; }  // which these are
  LoopBorder& border() { return border_; }

  /// Where rows repeat others joints may be open by the roundings of the model.
  void loosen(const Redundancy& redundancy);

 private:
  using SixWide = Eigen::Map<Eigen::Matrix<double, 6, Eigen::Dynamic>>;
  SixWide wide(std::vector<double>& values, std::size_t slot, int size) { return {values.data() + 6 * slot, 6, size}; }
  static Eigen::Map<Eigen::Matrix<double, 6, 1>> six(std::vector<double>& values, std::size_t slot) {
    return Eigen::Map<Eigen::Matrix<double, 6, 1>>(values.data() + 6 * slot);
  }
  struct End {
    int node;
    std::size_t slot;  // of the joint's first row at that node
  };

  /// What belongs to a piece of the tree.
  struct OfPiece {
    std::size_t firstSlot, lastSlot;
    std::vector<std::size_t> joints;  // those with both ends in it
    Gap widest;
  };

  template <bool factorise>
  void clear(const TreePieces::Piece& piece, const OfPiece& own);
  template <bool factorise>
  void assemble(std::size_t k, double h, const MechanismState& state, const TreeKernel<double>& kernel, Gap& widest);

  void handOnMatrix(std::size_t node, const BallElimination<double>& ball);
  void handOnMatrix(std::size_t node, const HingeElimination<double>& hinge);
  void noteGap(std::size_t joint, double gap, bool isLength, Gap& widest) const;

  const Mechanism& mechanism_;
  std::vector<int> joints_, nodeOf_;
  std::vector<BorderPart> parts_;
  BorderReach reach_;
  LoopBorder border_;
  BorderPlaces places_;
  std::vector<End> ends_;  // two for each joint, -1 where it is the ground
  double size_, looseness_ = 0.0;

  std::vector<TreeLoad<double>> pulls_;
  std::vector<Articulated<double>> stiffness_;
  std::vector<SprungJoint<double>> springs_;
  std::vector<char> isSprung_;
  VectorX multipliers_;
  Gap widest_;
  std::vector<OfPiece> ofPieces_;
  std::vector<int> pieceOf_;                    // of each node
  std::vector<std::size_t> between_;            // the other joints
  std::size_t mostKnown_ = 0;                   // unknowns of a node
  std::vector<double> columns_, rows_;          // six numbers for each unknown at each node that knows it: F and R
  std::vector<double> homedColumns_;            // F D^-1 where a part is at home
  std::vector<Vector3> seen_, own_;             // r and o
  std::vector<double> seenByAxis_, ownByAxis_;  // of the hinge at hand, in each piece
};

}  // namespace polhode
