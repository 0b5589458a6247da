#pragma once

#include "system/loop_conditions.h"

#include <optional>

/// Which equations of joints repeat what others say. This is decided here and nowhere else: `polhode check`, assembly,
/// every formulation, the real-time scheme and the conserving engine ask this module.
///
/// A planar loop of hinges in space has three equations too many, if its axes are parallel. Written with six digits they
/// are parallel to a millionth only, and taken by the letter the loop cannot move: the superfluous equations are
/// independent of the others, by a millionth. So an equation counts as a repetition if it opens by less than
/// `jointAccuracy` of the size of its loop (or radians) per unit of motion, while all others are kept (loop_conditions.h
/// says what the units are). The mechanism that is left moves as the exact one does, up to the roundings, and the joints
/// whose equations were left out open by about these roundings.
///
/// How many equations are independent is a property of the mechanism. It is found where the mechanism starts and, since
/// this may be a singular position (a parallelogram that is stretched out), once more a little further on in an arbitrary
/// motion. It is not judged anew later: rows that nearly depend on others in a singular position that is passed are needed
/// behind it.
///
/// Which ones are kept is a choice: those that depend on each other least, by column pivoting. In spatial loops (Bennett's,
/// Bricard's) a choice that is good here becomes singular there, although the mechanism is not; whoever went on with it would
/// leave the motion. So the choice is looked at again as the mechanism moves, and changed where another one is much better.
/// Rows are left out, rather than solved for in the sense of least squares, since what is left is a mechanism of its own:
/// it conserves its energy, has unique multipliers and its equations are as smooth as they were.
namespace polhode {

/// Of the size of a loop, or radians: joints that are written with five digits or more fit together by less.
constexpr double jointAccuracy = 3e-4;

class Redundancy {
 public:
  explicit Redundancy(const Mechanism& mechanism);

  int treeRates() const { return treeRates_; }
  int rank() const { return rank_; }  // independent rows among those of the joints that close loops
  int freedoms() const { return treeRates_ - rank_; }

  /// More rates are free where the mechanism starts than elsewhere.
  bool startsSingular() const { return startsSingular_; }

  /// The rows that are left out, in ascending order (MechanismJoint::firstRow + k); all in joints that close loops.
  const std::vector<int>& rows() const { return rows_; }
  bool contains(int row) const;

  /// By how much each of them is no exact repetition, relative to its loop or in radians (loop_conditions.h).
  const std::vector<double>& roundings() const { return roundings_; }
  double largestRounding() const;

  /// How far the rows that are kept are from depending on each other, where the choice was looked at last: near one where
  /// they are well chosen, near zero in a singular position.
  double weakest() const { return weakest_; }

  /// Looks at the choice where the mechanism stands now, unless it has hardly moved since the last time. True if others
  /// are left out from now on; never where nothing is redundant. Very large mechanisms are not looked at.
  bool review(double t, std::span<const MovingPlacement> bodies);

  /// The same however little the mechanism has moved, and however small the advantage.
  bool chooseAnew(double t, std::span<const MovingPlacement> bodies);

  /// The choice, and where it was looked at (integrate/archive.h).
  template <class Archive>
  void persist(Archive& archive) {
    archive(rows_, roundings_, weakest_, way_, lookedAt_);
  }

  /// The rows that are kept and that a row which is left out repeats, those with the largest share first.
  std::vector<int> repeatedBy(int row, double t, std::span<const MovingPlacement> bodies) const;

 private:
  struct Choice {
    std::vector<int> rows;
    std::vector<double> roundings;
    double weakest = 1.0;
  };

  static Choice choose(const LoopConditions& conditions, std::optional<Eigen::Index> rank);
  double weakestOf(const LoopConditions& conditions) const;
  bool hasMoved(std::span<const MovingPlacement> bodies) const;
  void take(Choice choice, std::span<const MovingPlacement> bodies);
  bool reviewed(double t, std::span<const MovingPlacement> bodies, double sufficientShare);

  const Mechanism& mechanism_;
  int treeRates_ = 0, rank_ = 0;
  bool startsSingular_ = false;
  std::vector<int> rows_;
  std::vector<double> roundings_;
  double weakest_ = 1.0;
  double reach_, way_ = 0.0;               // how far bodies may go before the choice is looked at again
  std::vector<MovingPlacement> lookedAt_;  // where the bodies stood
};

}  // namespace polhode
