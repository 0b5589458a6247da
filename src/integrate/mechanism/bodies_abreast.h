#pragma once

#include "integrate/mechanism/turning_inertia.h"
#include "math/lanes.h"
#include "math/largest.h"

#include <algorithm>
#include <utility>
#include <variant>
#include <vector>

/// What bodies have for themselves in a step of tree_kernel.h, for several bodies at once in the lanes of
/// vector registers:
///
///     Dm = (I + c^/2 + c c^T/4)/(1 + c^2/4) D0,   D1 = 2 Dm - D0
///     a = Dm arm,   turning_inertia.h of c,   dc = C^-1 turn
///
/// Only what hangs on neighbours is left to be done one body after the other.
namespace polhode {

template <int width>
class BodiesInLanes {
 public:
  using Number = Lanes<width>;
  using Vec = Vector<Number, 3>;
  using Mat = Matrix33<Number>;

  /// So many bodies side by side; where there are less, the other lanes turn nothing.
  struct Group {
    Vec arm, secondMoments, c;
    Mat D0, W0, Dm;
  };

  explicit BodiesInLanes(std::size_t bodies) : bodies_(bodies), groups_((bodies + width - 1) / width) {
    for (Group& group : groups_) {
      for (Vec* each : {&group.arm, &group.secondMoments, &group.c}) each->setZero();
      for (Mat* each : {&group.D0, &group.W0, &group.Dm}) each->setZero();
    }
  }

  void setLink(std::size_t i, const Vector3& arm, const Vector3& secondMoments) {
    put(groups_[i / width].arm, i % width, arm);
    put(groups_[i / width].secondMoments, i % width, secondMoments);
  }
  void setStart(std::size_t i, const Matrix3& D0, const Matrix3& W0) {
    put(groups_[i / width].D0, i % width, D0);
    put(groups_[i / width].W0, i % width, W0);
  }

  /// Places bodies that turn by the c of their nodes, ...
  template <class Node>
  [[gnu::flatten]] void place(std::vector<Node>& nodes) {
    for (std::size_t g = 0; g < groups_.size(); ++g) {
      groups_[g].c = taken(nodes, g, &Node::c);
      place(groups_[g], nodes, g);
    }
  }

  /// ... and by what corrects them, from their nodes' `turn`. Tells the squares of the largest change and turn.
  template <class Node>
  [[gnu::flatten]] std::pair<double, double> correct(std::vector<Node>& nodes) {
    Number change(0.0), turn(0.0);
    for (std::size_t g = 0; g < groups_.size(); ++g) {
      Group& group = groups_[g];
      const Vec turned = taken(nodes, g, &Node::turn), c = group.c;
      const Vec dc = turned - 0.5 * c.cross(turned) + (0.25 * c.dot(turned)) * c;
      group.c += dc;
      change = largestOrNaN(change, dc.squaredNorm());
      turn = largestOrNaN(turn, group.c.squaredNorm());
      given(group.c, nodes, g, &Node::c);
      place(group, nodes, g);
    }
    return {largest(change), largest(turn)};
  }

  /// turningStiffness of each body.
  [[gnu::flatten]] void stiffen(std::vector<Matrix3>& stiffness, double h) const {
    for (std::size_t g = 0; g < groups_.size(); ++g) {
      const Group& group = groups_[g];
      const Mat each = turningStiffness(group.secondMoments, group.Dm, group.W0, group.c, h);
      for (std::size_t lane = 0; lane < inGroup(g); ++lane) get(each, lane, stiffness[g * width + lane]);
    }
  }

 private:
  std::size_t inGroup(std::size_t g) const { return std::min<std::size_t>(width, bodies_ - g * width); }

  template <class Lanewise, class Value>
  static void put(Lanewise& to, std::size_t lane, const Value& value) {
    for (int k = 0; k < static_cast<int>(value.size()); ++k)
      to.data()[k].numbers[static_cast<int>(lane)] = value.data()[k];
  }
  template <class Lanewise, class Value>
  static void get(const Lanewise& from, std::size_t lane, Value& value) {
    for (int k = 0; k < static_cast<int>(value.size()); ++k) value.data()[k] = from.data()[k][static_cast<int>(lane)];
  }

  /// A vector of each node of a group, side by side.
  template <class Node>
  Vec taken(const std::vector<Node>& nodes, std::size_t g, Vector3 Node::*which) const {
    Vec vectors;
    vectors.setZero();
    for (std::size_t lane = 0; lane < inGroup(g); ++lane) put(vectors, lane, nodes[g * width + lane].*which);
    return vectors;
  }
  template <class Node, class Lanewise, class Value>
  void given(const Lanewise& values, std::vector<Node>& nodes, std::size_t g, Value Node::*which) const {
    for (std::size_t lane = 0; lane < inGroup(g); ++lane) get(values, lane, nodes[g * width + lane].*which);
  }

  template <class Node>
  void place(Group& group, std::vector<Node>& nodes, std::size_t g) const {
    group.Dm = meanTurn(group.c).lazyProduct(group.D0);
    const Mat D1 = 2.0 * group.Dm - group.D0;
    const Vec arm = group.Dm * group.arm;
    given(group.Dm, nodes, g, &Node::Dm);
    given(D1, nodes, g, &Node::D1);
    given(arm, nodes, g, &Node::arm);
    const TurningParts<Number> turning(group.secondMoments, group.Dm, group.W0, group.c);
    given(turning.byTurn, nodes, g, &Node::byTurn);
    given(turning.atStart, nodes, g, &Node::atStart);
  }

  static double largest(Number numbers) {
    double most = 0.0;
    for (int lane = 0; lane < width; ++lane) most = largestOrNaN(most, numbers[lane]);
    return most;
  }

  std::size_t bodies_;
  std::vector<Group> groups_;
};

/// As many at once as a register holds, or as there are.
class BodiesAbreast {
 public:
  explicit BodiesAbreast(std::size_t bodies) : lanes_(fitting(bodies)) {}

  void setLink(std::size_t i, const Vector3& arm, const Vector3& secondMoments) {
    std::visit([&](auto& lanes) { lanes.setLink(i, arm, secondMoments); }, lanes_);
  }
  void setStart(std::size_t i, const Matrix3& D0, const Matrix3& W0) {
    std::visit([&](auto& lanes) { lanes.setStart(i, D0, W0); }, lanes_);
  }
  template <class Node>
  void place(std::vector<Node>& nodes) {
    std::visit([&](auto& lanes) { lanes.place(nodes); }, lanes_);
  }
  template <class Node>
  std::pair<double, double> correct(std::vector<Node>& nodes) {
    return std::visit([&](auto& lanes) { return lanes.correct(nodes); }, lanes_);
  }
  void stiffen(std::vector<Matrix3>& stiffness, double h) const {
    std::visit([&](const auto& lanes) { lanes.stiffen(stiffness, h); }, lanes_);
  }

 private:
  using AnyWidth = std::variant<BodiesInLanes<1>, BodiesInLanes<2>, BodiesInLanes<4>, BodiesInLanes<8>>;

  static AnyWidth fitting(std::size_t bodies) {
    const std::size_t width = std::min<std::size_t>(bodies, lanesOfRegister);
    if (width > 4) return BodiesInLanes<8>(bodies);
    if (width > 2) return BodiesInLanes<4>(bodies);
    if (width > 1) return BodiesInLanes<2>(bodies);
    return BodiesInLanes<1>(bodies);
  }

  AnyWidth lanes_;
};

}  // namespace polhode
