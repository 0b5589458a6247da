#pragma once

#include "integrate/mechanism/tree_pieces.h"
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
/// Only what hangs on neighbours is left to be done one body after the other. The pieces of a tree (tree_pieces.h) have groups of their
/// own, so that each of them can go by itself.
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
    std::size_t first, bodies;
  };

  explicit BodiesInLanes(const TreePieces& pieces) {
    for (const TreePieces::Piece& piece : pieces.pieces) {
      pieces_.push_back({piece.begin, groups_.size(), 0});
      for (std::size_t first = piece.begin; first < piece.end; first += width) {
        Group& group = groups_.emplace_back();
        for (Vec* each : {&group.arm, &group.secondMoments, &group.c}) each->setZero();
        for (Mat* each : {&group.D0, &group.W0, &group.Dm}) each->setZero();
        group.first = first;
        group.bodies = std::min<std::size_t>(width, piece.end - first);
      }
      pieces_.back().end = groups_.size();
    }
  }

  void setLink(std::size_t piece, std::size_t i, const Vector3& arm, const Vector3& secondMoments) {
    Group& group = groupOf(piece, i);
    put(group.arm, i - group.first, arm);
    put(group.secondMoments, i - group.first, secondMoments);
  }
  void setStart(std::size_t piece, std::size_t i, const Matrix3& D0, const Matrix3& W0) {
    Group& group = groupOf(piece, i);
    put(group.D0, i - group.first, D0);
    put(group.W0, i - group.first, W0);
  }

  /// Places the bodies of a piece that turn by the c of their nodes, ...
  template <class Node>
  [[gnu::flatten]] void place(std::size_t piece, std::vector<Node>& nodes) {
    for (std::size_t g = pieces_[piece].begin; g < pieces_[piece].end; ++g) {
      Group& group = groups_[g];
      group.c = taken(nodes, group, &Node::c);
      place(group, nodes);
    }
  }

  /// ... and by what corrects them, from their nodes' `turn`. Tells the squares of the largest change and turn.
  template <class Node>
  [[gnu::flatten]] std::pair<double, double> correct(std::size_t piece, std::vector<Node>& nodes) {
    Number change(0.0), turn(0.0);
    for (std::size_t g = pieces_[piece].begin; g < pieces_[piece].end; ++g) {
      Group& group = groups_[g];
      const Vec turned = taken(nodes, group, &Node::turn), c = group.c;
      const Vec dc = turned - 0.5 * c.cross(turned) + (0.25 * c.dot(turned)) * c;
      group.c += dc;
      change = largestOrNaN(change, dc.squaredNorm());
      turn = largestOrNaN(turn, group.c.squaredNorm());
      given(group.c, nodes, group, &Node::c);
      place(group, nodes);
    }
    return {largest(change), largest(turn)};
  }

  /// turningStiffness of each body.
  [[gnu::flatten]] void stiffen(std::size_t piece, std::vector<Matrix3>& stiffness, double h) const {
    for (std::size_t g = pieces_[piece].begin; g < pieces_[piece].end; ++g) {
      const Group& group = groups_[g];
      const Mat each = turningStiffness(group.secondMoments, group.Dm, group.W0, group.c, h);
      for (std::size_t lane = 0; lane < group.bodies; ++lane) get(each, lane, stiffness[group.first + lane]);
    }
  }

 private:
  struct Piece {
    std::size_t first, begin, end;  // body; groups
  };

  Group& groupOf(std::size_t piece, std::size_t i) {
    return groups_[pieces_[piece].begin + (i - pieces_[piece].first) / width];
  }

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
  Vec taken(const std::vector<Node>& nodes, const Group& group, Vector3 Node::*which) const {
    Vec vectors;
    vectors.setZero();
    for (std::size_t lane = 0; lane < group.bodies; ++lane) put(vectors, lane, nodes[group.first + lane].*which);
    return vectors;
  }
  template <class Node, class Lanewise, class Value>
  void given(const Lanewise& values, std::vector<Node>& nodes, const Group& group, Value Node::*which) const {
    for (std::size_t lane = 0; lane < group.bodies; ++lane) get(values, lane, nodes[group.first + lane].*which);
  }

  template <class Node>
  void place(Group& group, std::vector<Node>& nodes) const {
    group.Dm = meanTurn(group.c).lazyProduct(group.D0);
    const Mat D1 = 2.0 * group.Dm - group.D0;
    const Vec arm = group.Dm * group.arm;
    given(group.Dm, nodes, group, &Node::Dm);
    given(D1, nodes, group, &Node::D1);
    given(arm, nodes, group, &Node::arm);
    const TurningParts<Number> turning(group.secondMoments, group.Dm, group.W0, group.c);
    given(turning.byTurn, nodes, group, &Node::byTurn);
    given(turning.atStart, nodes, group, &Node::atStart);
  }

  static double largest(Number numbers) {
    double most = 0.0;
    for (int lane = 0; lane < width; ++lane) most = largestOrNaN(most, numbers[lane]);
    return most;
  }

  std::vector<Group> groups_;
  std::vector<Piece> pieces_;
};

/// As many at once as a register holds, or as there are.
class BodiesAbreast {
 public:
  explicit BodiesAbreast(const TreePieces& pieces) : lanes_(fitting(pieces)) {}

  void setLink(std::size_t piece, std::size_t i, const Vector3& arm, const Vector3& secondMoments) {
    std::visit([&](auto& lanes) { lanes.setLink(piece, i, arm, secondMoments); }, lanes_);
  }
  void setStart(std::size_t piece, std::size_t i, const Matrix3& D0, const Matrix3& W0) {
    std::visit([&](auto& lanes) { lanes.setStart(piece, i, D0, W0); }, lanes_);
  }
  template <class Node>
  void place(std::size_t piece, std::vector<Node>& nodes) {
    std::visit([&](auto& lanes) { lanes.place(piece, nodes); }, lanes_);
  }
  template <class Node>
  std::pair<double, double> correct(std::size_t piece, std::vector<Node>& nodes) {
    return std::visit([&](auto& lanes) { return lanes.correct(piece, nodes); }, lanes_);
  }
  void stiffen(std::size_t piece, std::vector<Matrix3>& stiffness, double h) const {
    std::visit([&](const auto& lanes) { lanes.stiffen(piece, stiffness, h); }, lanes_);
  }

 private:
  using AnyWidth = std::variant<BodiesInLanes<1>, BodiesInLanes<2>, BodiesInLanes<4>, BodiesInLanes<8>>;

  static AnyWidth fitting(const TreePieces& pieces) {
    const std::size_t width = std::min<std::size_t>(pieces.order.size(), lanesOfRegister);
    if (width > 4) return BodiesInLanes<8>(pieces);
    if (width > 2) return BodiesInLanes<4>(pieces);
    if (width > 1) return BodiesInLanes<2>(pieces);
    return BodiesInLanes<1>(pieces);
  }

  AnyWidth lanes_;
};

}  // namespace polhode
