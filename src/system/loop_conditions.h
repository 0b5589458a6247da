#pragma once

#include "system/mechanism_observation.h"

#include <Eigen/SparseCore>

/// What the joints that close loops ask of the rates of the spanning tree, where a mechanism stands.
///
/// The tree has rates of its own, those that its joints leave free. Each equation of a joint that closes a loop is a linear
/// condition on these rates, one column of a matrix. All are made comparable, so that an entry of the matrix says which part
/// of the loop's size (or how many radians) the joint opens by when a joint of the tree turns by one radian, or moves by
/// the loop's size:
///
///     turns count in radians, moves by the size L of the loops that they are part of;
///     the gap of points is divided by the ways from the joint to the axes that the tree turns about (root of the sum of
///     their squares), that of axes by the root of the number of turns.
///
/// So a column has at most the length one. One that is short is so because axes are parallel or points lie on them; it is
/// not stretched to length one: what roundings of the model leave in it must not look like a condition.
namespace polhode {

/// A rate of the tree as a motion of all bodies behind it: a velocity field v = translation + rotation cross x.
struct TreeRate {
  Vector3 translation, rotation;
  Vector3 centre;  // of a rotation: a point that it leaves at rest

  Vector3 velocityAt(const Vector3& x) const { return translation + rotation.cross(x); }
  bool turns() const { return !rotation.isZero(); }
};

/// The rates of the spanning tree: for each body those of the joint that it hangs on, or six of a free one.
class TreeRates {
 public:
  TreeRates(const Mechanism& mechanism, std::span<const MovingPlacement> at);

  int count() const { return static_cast<int>(rates_.size()); }
  const TreeRate& rate(int number) const { return rates_[static_cast<std::size_t>(number)]; }

  /// Calls with the number of each rate that moves a body; or moves it against one that is on its way to the ground.
  template <class Visitor>
  void visitRatesOf(int body, const Visitor& visit, int against = groundIndex) const {
    for (; body != against; body = mechanism_.topology().parent[static_cast<std::size_t>(body)])
      for (int r = start_[static_cast<std::size_t>(body)]; r < start_[static_cast<std::size_t>(body) + 1]; ++r)
        visit(r);
  }

 private:
  void addFreeBody(const Vector3& centre);
  void addJoint(const MechanismJoint& joint, std::span<const MovingPlacement> at);

  const Mechanism& mechanism_;
  std::vector<TreeRate> rates_;
  std::vector<int> start_;
};

struct LoopConditions {
  Eigen::SparseMatrix<double> columns;  // a column for each row of a cut joint
  std::vector<int> rows;                // which row of the mechanism it is
  int rates = 0;
};

/// At a time, for bodies that stand like this.
LoopConditions loopConditions(const Mechanism& mechanism, double t, std::span<const MovingPlacement> at);

/// The longest way from a centre of mass to a joint of its body: a size that does not depend on where the mechanism stands.
double reachOf(const Mechanism& mechanism);

}  // namespace polhode
