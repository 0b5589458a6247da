#pragma once

#include "integrate/mechanism/articulated.h"
#include "integrate/mechanism/bodies_abreast.h"
#include "integrate/mechanism/tree_link.h"
#include "integrate/mechanism/tree_pieces.h"
#include "integrate/mechanism/turning_inertia.h"
#include "math/crew.h"
#include "math/largest.h"

#include <algorithm>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

/// One step of the director scheme for trees of ball joints and hinges that hang on the ground and carry nothing but their
/// weight, over any scalar: numbers (hinge_tree.h), many members of an ensemble side by side (math/lanes.h), numbers with
/// their derivatives (math/dual.h). Nothing is allocated, and no branch hangs on data.
///
/// Only the turns c are unknown, three a body. Positions follow from the root outwards, as the joints close exactly; the
/// forces of the points and the torques of the hinges follow from the leaves inwards, as sums of what lies beyond:
///
///     dx_b = dx_p + (D1 - D0)_p rho_p - (D1 - D0)_b rho_b - gap0
///     Lambda_b = (2m/h) dx_b - 2 m v0_b - h (m g + load) + sum_children Lambda_c   (h times the force of the parent joint)
///     turningTorque_b - h loadTorque_b - a_b cross Lambda_b + sum_children (a_c cross Lambda_c + T_c) = T_b     (a = Dm rho)
///
/// where T_b, h times the torque of the parent joint, is zero for a ball and orthogonal to the axis for a hinge; what is
/// left over is the residual. A Newton step is `inward`, once from the leaves to the root (articulated bodies, 3 x 3
/// blocks), and `correct`, once back. Both tell joints that close loops, where there are any (tree_loops.h), of each node.
///
/// A large tree has pieces (tree_pieces.h): branches go by themselves, and what their roots hand on waits in places of its own until
/// the trunk takes it, in a fixed order. So a crew of threads may share them, and the bits are those of one thread.
namespace polhode {

/// In the place of TreeLoops where nothing closes.
struct NoLoops {};

template <class T>
class TreeKernel {
 public:
  using Vec = Vector<T, 3>;
  using Mat = Matrix33<T>;
  using Motion = MotionOver<T>;

  enum class Matrix { made, kept };

  /// The squares of the largest change of c and of the largest c.
  struct Correction {
    T change, turn;
  };

  /// From the root outwards, in the order of `pieces`; the axes of the hinges are fixed in the bodies.
  TreeKernel(std::vector<TreeLink<T>> links, std::vector<HingeAxes<T>> hingeAxes, const Vec& gravity,
             const TreePieces& pieces);

  /// Threads that share the pieces from now on; nobody to share them with if null. They stay for as long as they are used.
  void shareWith(Crew* crew) { crew_ = crew; }

  /// Calls `work(piece, k)` for each piece, by several threads at once.
  template <class Work>
  void eachPiece(const Work& work) {
    if (crew_)
      crew_->each(pieces_.size(), [&](std::size_t k) { work(pieces_[k], k); });
    else
      for (std::size_t k = 0; k < pieces_.size(); ++k) work(pieces_[k], k);
  }
  std::size_t pieces() const { return pieces_.size(); }

  std::size_t size() const { return links_.size(); }
  const TreeLink<T>& link(std::size_t i) const { return links_[i]; }
  Vec& turn(std::size_t i) { return nodes_[i].c; }
  TreeLoad<T>& load(std::size_t i) { return loads_[i]; }
  const TreeLoad<T>& load(std::size_t i) const { return loads_[i]; }
  bool hasHinges() const { return !hinges_.empty(); }
  const Vec& turn(std::size_t i) const { return nodes_[i].c; }
  const Vec& displacement(std::size_t i) const { return nodes_[i].dx; }
  const Mat& meanDirectors(std::size_t i) const { return nodes_[i].Dm; }
  const Mat& directorsAtEnd(std::size_t i) const { return nodes_[i].D1; }

  /// Begins a step with the turns as they were set: measures how far joints are open and places all bodies. `more(body)` is what
  /// its place has beyond the digits of a number.
  template <class More = NoLoops>
  void begin(std::span<const Motion> bodies, const More& more = {});

  /// Places all bodies anew where their turns were changed.
  void place(std::span<const Motion> bodies);

  /// The equations of all bodies, eliminated from the leaves to the root.
  template <Matrix matrix, class Loops = NoLoops>
  void inward(std::span<const Motion> bodies, double h, Loops&& loops = {});

  /// Back from the root to the leaves: corrects the turns, by `taken` of each change, and places the bodies anew.
  template <class Taken, class Loops = NoLoops>
  Correction correct(std::span<const Motion> bodies, const Taken& taken, Loops&& loops = {});
  Correction correct(std::span<const Motion> bodies) { return correct(bodies, WholeChange()); }
  struct WholeChange {
    const Vec& operator()(const Vec& change) const { return change; }
  };

  /// How far the axis of a hinge and its two normals are from right angles at the end of the step: the cosines.
  std::pair<T, T> hingeGap(std::size_t i) const {
    const HingeAxes<T> end = axesAt(links_[i], nodes_[i], &Node::D1);
    return {end.axis.dot(end.normal[0]), end.axis.dot(end.normal[1])};
  }

  /// The motion at the end of the step. `tell(i, force, torque)` is told what body i asks of its parent joint, times the step;
  /// without it this is not computed.
  struct Nobody {};
  template <class Tell = Nobody>
  void finish(std::span<Motion> bodies, double h, const Tell& tell = {});

  /// Tells the same, and changes nothing.
  template <class Tell>
  void ask(std::span<const Motion> bodies, double h, const Tell& tell);

  /// What is left of a torque that a hinge is asked for: it gives none about its axis.
  Vec residualOfHinge(std::size_t i, const Vec& asked) const { return hingeResidual(links_[i], nodes_[i], asked); }

  /// The directors of a hinge's bodies at mid-step, in space.
  HingeAxes<T> meanAxes(std::size_t i) const { return axesAt(links_[i], nodes_[i], &Node::Dm); }

 private:
  /// What changes in every iteration.
  struct Node {
    Vec c = Vec::Zero(), dx = Vec::Zero(), gap = Vec::Zero();
    Mat D1 = Mat::Identity(), Dm = Mat::Identity();
    Vec motion = Vec::Zero(), turn = Vec::Zero();  // the last correction: of the place and of the directors at the end
    Vec arm = Vec::Zero(), byTurn = Vec::Zero(),
        atStart = Vec::Zero();  // where bodies go abreast: TurningParts, and Dm arm
  };
  static constexpr bool goAbreast = std::is_same_v<T, double>;
  struct EachAlone {
    explicit EachAlone(const TreePieces&) {}
  };

  using Piece = TreePieces::Piece;

  /// Sums of what hangs on a body; each in lines of memory of its own, since threads write to neighbouring ones.
  struct alignas(std::max<std::size_t>(64, alignof(Articulated<T>))) Beyond {
    Vec force = Vec::Zero(), torque = Vec::Zero();    // of the joints, times the step
    Vec onPlace = Vec::Zero(), onTurn = Vec::Zero();  // what the elimination leaves for the body's residuals
    Articulated<T> matrix;

    void clear(bool matrixToo) {
      force.setZero(), torque.setZero(), onPlace.setZero(), onTurn.setZero();
      if (matrixToo) matrix = Articulated<T>();
    }
    void take(Beyond& other, bool matrixToo) {
      force += other.force, torque += other.torque, onPlace += other.onPlace, onTurn += other.onTurn;
      if (matrixToo) matrix += other.matrix;
      other.clear(matrixToo);
    }
  };

  /// Where the root of a branch leaves what its parent in the trunk is to take.
  struct Landing {
    std::size_t parent, beyond;
  };

  static const Motion& start(std::span<const Motion> bodies, const TreeLink<T>& link) {
    return bodies[static_cast<std::size_t>(link.body)];
  }
  const Node& parentOf(const TreeLink<T>& link) const { return nodes_[static_cast<std::size_t>(link.parent)]; }

  static Vec meanArm(const TreeLink<T>& link, const Node& node) {
    if constexpr (goAbreast)
      return node.arm;
    else
      return node.Dm * link.arm;
  }

  void allotBeyond();
  /// By the same threads as in eachPiece.
  template <class Work>
  void eachBranch(const Work& work) {
    if (firstBranch_ == pieces_.size()) return;
    eachPiece([&](const Piece& piece, std::size_t) {
      if (piece.isBranch) work(piece);
    });
  }
  template <class More>
  void measureGaps(const Piece& piece, std::size_t k, std::span<const Motion> bodies, const More& more);
  void placeNodes(std::size_t begin, std::size_t end, std::span<const Motion> bodies);
  void placeAll(std::span<const Motion> bodies);
  template <Matrix matrix, class Loops>
  void eliminate(std::size_t begin, std::size_t end, std::span<const Motion> bodies, double h, Loops& loops);
  template <class Taken, class Loops>
  Correction goBack(std::size_t begin, std::size_t end, std::span<const Motion> bodies, const Taken& taken,
                    Loops& loops);
  template <class Tell>
  void askNodes(std::size_t begin, std::size_t end, std::span<const Motion> bodies, double h, const Tell& tell);
  template <class Tell>
  void finishNodes(std::size_t begin, std::size_t end, std::span<Motion> bodies, double h, const Tell& tell);

  /// Goes through the trunk from its end, `walk(begin, end)` from each node where branches hang to the next one, and takes there what
  /// these have left.
  template <class Walk>
  void alongTrunk(bool matrixToo, const Walk& walk) {
    std::size_t end = trunk_;
    for (std::size_t l = landingsOfGround_; l < landings_.size();) {
      const std::size_t parent = landings_[l].parent;
      walk(parent + 1, end);
      for (; l < landings_.size() && landings_[l].parent == parent; ++l)
        beyond_[static_cast<std::size_t>(links_[parent].beyond)].take(beyond_[landings_[l].beyond], matrixToo);
      end = parent + 1;
    }
    walk(0, end);
  }
  void clearGround(bool matrixToo) {
    beyond_[static_cast<std::size_t>(groundBeyond_)].clear(matrixToo);
    for (std::size_t l = 0; l < landingsOfGround_; ++l) beyond_[landings_[l].beyond].clear(matrixToo);
  }

  void place(const TreeLink<T>& link, Node& node, const Mat& D0);
  HingeAxes<T> axesAt(const TreeLink<T>& link, const Node& node, Mat Node::*directors) const;
  Remainder<T> askedOfJoint(const TreeLink<T>& link, const Node& node, const Motion& start, double h) const;
  Vec hingeResidual(const TreeLink<T>& link, const Node& node, const Vec& asked) const;
  template <class Tell>
  void askOf(std::size_t i, const Motion& start, double h, const Tell& tell);

  Vec gravity_;
  std::vector<TreeLink<T>> links_;
  std::vector<Node> nodes_;  // one more than links: the ground
  std::vector<Beyond> beyond_;
  int groundBeyond_ = 0;
  std::vector<Landing> landings_;  // the outermost first: those of the ground, then along the trunk inwards
  std::size_t landingsOfGround_ = 0;
  std::vector<BallElimination<T>> balls_;
  std::vector<HingeElimination<T>> hinges_;
  std::vector<HingeAxes<T>> hingeAxes_;
  std::vector<TreeLoad<T>> loads_;
  std::conditional_t<goAbreast, BodiesAbreast, EachAlone> abreast_;
  std::vector<Mat> stiffness_;  // of the bodies abreast

  std::size_t trunk_;  // nodes
  std::vector<Piece> pieces_;
  std::size_t firstBranch_;
  std::vector<Correction> corrections_;  // of each piece
  Crew* crew_ = nullptr;
};

template <class T>
TreeKernel<T>::TreeKernel(std::vector<TreeLink<T>> links, std::vector<HingeAxes<T>> hingeAxes, const Vec& gravity,
                          const TreePieces& pieces)
    : gravity_(gravity),
      links_(std::move(links)),
      nodes_(links_.size() + 1),
      hingeAxes_(std::move(hingeAxes)),
      loads_(links_.size()),
      abreast_(pieces),
      trunk_(pieces.trunk),
      pieces_(pieces.pieces),
      firstBranch_(pieces.firstBranch),
      corrections_(pieces_.size(), Correction{0.0, 0.0}) {
  if constexpr (goAbreast) {
    stiffness_.resize(links_.size());
    for (std::size_t k = 0; k < pieces_.size(); ++k)
      for (std::size_t i = pieces_[k].begin; i < pieces_[k].end; ++i)
        abreast_.setLink(k, i, links_[i].arm, links_[i].secondMoments);
  }
  hinges_.resize(hingeAxes_.size());
  balls_.resize(links_.size() - hinges_.size());
  allotBeyond();
}

/// A sum is needed from the first child's elimination to that of the body itself, and can serve another body of the same branch
/// then: a chain needs two, whatever its length. They are zero whenever nobody uses them.
template <class T>
void TreeKernel<T>::allotBeyond() {
  std::vector<int> of(nodes_.size(), -1), free;
  int count = 0;
  const auto allot = [&](int node) {
    int& mine = of[static_cast<std::size_t>(node)];
    if (mine >= 0) return;
    if (free.empty()) free.push_back(count++);
    mine = free.back();
    free.pop_back();
  };
  const auto allotIn = [&](std::size_t begin, std::size_t end) {
    free.clear();
    for (std::size_t i = end; i-- > begin;) {
      const auto parent = static_cast<std::size_t>(links_[i].parent);
      const bool landsElsewhere = begin > 0 && (parent < begin || parent == links_.size());
      allot(static_cast<int>(i));
      if (!landsElsewhere) allot(links_[i].parent);
      free.push_back(of[i]);
      links_[i].beyond = of[i];
      links_[i].parentBeyond = landsElsewhere ? count++ : of[parent];
      if (landsElsewhere) landings_.push_back({parent, static_cast<std::size_t>(links_[i].parentBeyond)});
    }
  };
  for (std::size_t k = firstBranch_; k < pieces_.size(); ++k) allotIn(pieces_[k].begin, pieces_[k].end);
  free.clear();
  allot(static_cast<int>(links_.size()));
  allotIn(0, trunk_);
  groundBeyond_ = of.back();
  beyond_.resize(static_cast<std::size_t>(count));
  std::stable_sort(landings_.begin(), landings_.end(),
                   [](const Landing& a, const Landing& b) { return a.parent > b.parent; });
  while (landingsOfGround_ < landings_.size() && landings_[landingsOfGround_].parent == links_.size())
    ++landingsOfGround_;
}

template <class T>
template <class More>
void TreeKernel<T>::begin(std::span<const Motion> bodies, const More& more) {
  eachPiece([&](const Piece& piece, std::size_t k) { measureGaps(piece, k, bodies, more); });
  placeAll(bodies);
}

template <class T>
void TreeKernel<T>::place(std::span<const Motion> bodies) {
  if constexpr (goAbreast) eachPiece([&](const Piece&, std::size_t k) { abreast_.place(k, nodes_); });
  placeAll(bodies);
}

template <class T>
template <class More>
[[gnu::flatten]] void TreeKernel<T>::measureGaps(const Piece& piece, std::size_t k, std::span<const Motion> bodies,
                                                 const More& more) {
  for (std::size_t i = piece.begin; i < piece.end; ++i) {
    const TreeLink<T>& link = links_[i];
    Node& node = nodes_[i];
    const auto& at = start(bodies, link).at;
    const Vec joint = at.D * link.arm;
    if (static_cast<std::size_t>(link.parent) == links_.size()) {
      node.gap = (at.x - link.parentArm) + joint;
    } else {
      const auto& parent = start(bodies, links_[static_cast<std::size_t>(link.parent)]).at;
      node.gap = (at.x - parent.x) + (joint - parent.D * link.parentArm);
      if constexpr (!std::is_same_v<More, NoLoops>)
        node.gap -= more(links_[static_cast<std::size_t>(link.parent)].body);
    }
    if constexpr (!std::is_same_v<More, NoLoops>) node.gap += more(link.body);
    if constexpr (goAbreast) abreast_.setStart(k, i, at.D, start(bodies, link).rate.W);
  }
  if constexpr (goAbreast) abreast_.place(k, nodes_);
}

/// Where the bodies go that others carry: along the trunk, then along the branches.
template <class T>
inline void TreeKernel<T>::placeAll(std::span<const Motion> bodies) {
  placeNodes(0, trunk_, bodies);
  eachBranch([&](const Piece& piece) { placeNodes(piece.begin, piece.end, bodies); });
}

template <class T>
[[gnu::flatten]] void TreeKernel<T>::placeNodes(std::size_t begin, std::size_t end, std::span<const Motion> bodies) {
  for (std::size_t i = begin; i < end; ++i) place(links_[i], nodes_[i], start(bodies, links_[i]).at.D);
}

/// Where a body is at the end of the step, when its parent has been placed.
template <class T>
inline void TreeKernel<T>::place(const TreeLink<T>& link, Node& node, const Mat& D0) {
  if constexpr (!goAbreast) {
    node.Dm = meanTurn(node.c).lazyProduct(D0);
    node.D1 = 2.0 * node.Dm - D0;
  }
  const Node& parent = parentOf(link);
  node.dx = parent.dx + (parent.c.cross(parent.Dm * link.parentArm) - node.c.cross(meanArm(link, node))) - node.gap;
}

template <class T>
inline HingeAxes<T> TreeKernel<T>::axesAt(const TreeLink<T>& link, const Node& node, Mat Node::*directors) const {
  const HingeAxes<T>& fixed = hingeAxes_[static_cast<std::size_t>(link.joint)];
  const Mat &body = node.*directors, &parent = parentOf(link).*directors;
  const Mat &axis = fixed.bodyCarriesAxis ? body : parent, &normal = fixed.bodyCarriesAxis ? parent : body;
  return {axis * fixed.axis, {normal * fixed.normal[0], normal * fixed.normal[1]}, fixed.bodyCarriesAxis};
}

/// The force and the torque that a body asks of its parent joint, both times the step.
template <class T>
inline Remainder<T> TreeKernel<T>::askedOfJoint(const TreeLink<T>& link, const Node& node, const Motion& start,
                                                double h) const {
  const Beyond& beyond = beyond_[static_cast<std::size_t>(link.beyond)];
  const TreeLoad<T>& load = loads_[static_cast<std::size_t>(&link - links_.data())];
  const Vec force = beyond.force + link.mass * (2.0 / h * node.dx - 2.0 * start.rate.v - h * gravity_) - h * load.force;
  Vec turning;
  if constexpr (goAbreast)
    turning = (2.0 / h) * node.byTurn - 2.0 * node.atStart;
  else
    turning = turningTorque(link.secondMoments, node.Dm, start.rate.W, node.c, h);
  return {force, beyond.torque + meanArm(link, node).cross(force) + h * load.torque - turning};
}

/// What the hinge cannot give: the part along its axis.
template <class T>
inline typename TreeKernel<T>::Vec TreeKernel<T>::hingeResidual(const TreeLink<T>& link, const Node& node,
                                                                const Vec& asked) const {
  const HingeAxes<T>& fixed = hingeAxes_[static_cast<std::size_t>(link.joint)];
  const Node& carrier = fixed.bodyCarriesAxis ? node : parentOf(link);
  const Vec axis = carrier.Dm * fixed.axis;
  return axis.dot(asked) / axis.squaredNorm() * axis;
}

template <class T>
template <typename TreeKernel<T>::Matrix matrix, class Loops>
void TreeKernel<T>::inward(std::span<const Motion> bodies, double h, Loops&& loops) {
  eachPiece([&](const Piece& piece, std::size_t k) {
    if constexpr (matrix == Matrix::made && goAbreast) abreast_.stiffen(k, stiffness_, h);
    if (piece.isBranch) eliminate<matrix>(piece.begin, piece.end, bodies, h, loops);
  });
  alongTrunk(matrix == Matrix::made,
             [&](std::size_t first, std::size_t last) { eliminate<matrix>(first, last, bodies, h, loops); });
  clearGround(matrix == Matrix::made);
}

template <class T>
template <typename TreeKernel<T>::Matrix matrix, class Loops>
[[gnu::flatten]] void TreeKernel<T>::eliminate(std::size_t first, std::size_t last, std::span<const Motion> bodies,
                                               double h, Loops& loops) {
  constexpr bool factorise = matrix == Matrix::made, hasLoops = !std::is_same_v<std::decay_t<Loops>, NoLoops>;
  for (std::size_t i = last; i-- > first;) {
    const TreeLink<T>& link = links_[i];
    const Node &node = nodes_[i], &parentNode = parentOf(link);
    const Motion& begin = start(bodies, link);
    Beyond &beyond = beyond_[static_cast<std::size_t>(link.beyond)],
           &parent = beyond_[static_cast<std::size_t>(link.parentBeyond)];
    const auto [force, asked] = askedOfJoint(link, node, begin, h);
    parent.force += force;
    parent.torque -= (parentNode.Dm * link.parentArm).cross(force);

    Levers<T> levers;
    if constexpr (factorise) {
      levers = {node.D1 * link.arm, meanArm(link, node), parentNode.D1 * link.parentArm,
                parentNode.Dm * link.parentArm};
      if constexpr (goAbreast)
        beyond.matrix.tt += stiffness_[i];
      else
        beyond.matrix.tt += turningStiffness(link.secondMoments, node.Dm, begin.rate.W, node.c, h);
      beyond.matrix.tt += -0.5 * doubleCross(force, levers.a);
      for (int k = 0; k < 3; ++k) beyond.matrix.xx(k, k) += 2.0 / h * link.mass;
      parent.matrix.tt += 0.5 * doubleCross(force, levers.b);
      if constexpr (hasLoops) beyond.matrix += loops.stiffness(i);
    }
    if constexpr (hasLoops) loops.template close<factorise>(i, beyond.matrix, beyond.onPlace, beyond.onTurn);
    if (link.isHinge) {
      HingeElimination<T>& hinge = hinges_[static_cast<std::size_t>(link.joint)];
      const HingeAxes<T> end = axesAt(link, node, &Node::D1);
      if constexpr (factorise) {
        hinge.levers = levers;
        const HingeAxes<T> mean = axesAt(link, node, &Node::Dm);
        const SprungJoint<T>* springs = nullptr;
        if constexpr (hasLoops) springs = loops.springs(i);
        const Articulated<T> rest =
            hinge.factorise(beyond.matrix.seenFrom(levers.a, levers.aLeft), end, mean, asked, springs);
        parent.matrix.addAtPoint(rest, levers.b, levers.bLeft);
      }
      const Vec residual = hingeResidual(link, node, asked);
      parent.torque += asked - residual;
      const Remainder<T> rest =
          hinge.eliminate(beyond.onPlace, residual + beyond.onTurn - hinge.levers.aLeft.cross(beyond.onPlace), end);
      parent.onPlace += rest.force;
      parent.onTurn += rest.torque + hinge.levers.bLeft.cross(rest.force);
      if constexpr (hasLoops) loops.template handOn<factorise>(i, hinge);
    } else {
      BallElimination<T>& ball = balls_[static_cast<std::size_t>(link.joint)];
      if constexpr (factorise) {
        ball.levers = levers;
        const Mat rest = ball.factorise(beyond.matrix.seenFrom(levers.a, levers.aLeft));
        parent.matrix.addAtPoint(rest, levers.b, levers.bLeft);
      }
      const Vec rest = ball.eliminate(beyond.onPlace, asked + beyond.onTurn - ball.levers.aLeft.cross(beyond.onPlace));
      parent.onPlace += rest;
      parent.onTurn += ball.levers.bLeft.cross(rest);
      if constexpr (hasLoops) loops.template handOn<factorise>(i, ball);
    }
    beyond.clear(factorise);
  }
}

template <class T>
template <class Taken, class Loops>
typename TreeKernel<T>::Correction TreeKernel<T>::correct(std::span<const Motion> bodies, const Taken& taken,
                                                          Loops&& loops) {
  Correction largest = goBack(0, trunk_, bodies, taken, loops);
  if constexpr (goAbreast) {
    static_assert(std::is_same_v<Taken, WholeChange>);
    eachPiece([&](const Piece& piece, std::size_t k) {
      if (piece.isBranch) goBack(piece.begin, piece.end, bodies, taken, loops);
      const auto [change, turn] = abreast_.correct(k, nodes_);
      corrections_[k] = {change, turn};
    });
    for (const Correction& correction : corrections_) {
      largest.change = largestOrNaN(largest.change, correction.change);
      largest.turn = largestOrNaN(largest.turn, correction.turn);
    }
    placeAll(bodies);
  }
  return largest;
}

template <class T>
template <class Taken, class Loops>
[[gnu::flatten]] typename TreeKernel<T>::Correction TreeKernel<T>::goBack(std::size_t first, std::size_t last,
                                                                          std::span<const Motion> bodies,
                                                                          const Taken& taken, Loops& loops) {
  constexpr bool hasLoops = !std::is_same_v<std::decay_t<Loops>, NoLoops>;
  Correction largest{0.0, 0.0};
  for (std::size_t i = first; i < last; ++i) {
    const TreeLink<T>& link = links_[i];
    Node& node = nodes_[i];
    const Node& parent = parentOf(link);
    const auto joint = static_cast<std::size_t>(link.joint);
    const Levers<T>& levers = link.isHinge ? hinges_[joint].levers : balls_[joint].levers;
    const Vec point = parent.motion - levers.b.cross(parent.turn);
    node.turn = link.isHinge ? hinges_[joint].turn(point, parent.turn) : balls_[joint].turn(point);
    if constexpr (hasLoops) node.turn += loops.turn(i);
    node.motion = point + levers.a.cross(node.turn);
    if constexpr (hasLoops) loops.closeBack(i, node.motion, node.turn);
    if constexpr (goAbreast) continue;
    // dc = C^-1 turn
    const Vec dc = taken(Vec(node.turn - 0.5 * node.c.cross(node.turn) + (0.25 * node.c.dot(node.turn)) * node.c));
    node.c += dc;
    largest.change = largestOrNaN(largest.change, dc.squaredNorm());
    largest.turn = largestOrNaN(largest.turn, node.c.squaredNorm());
    place(link, node, start(bodies, link).at.D);
  }
  return largest;
}

/// One body's turn to ask, from the leaves inwards.
template <class T>
template <class Tell>
inline void TreeKernel<T>::askOf(std::size_t i, const Motion& start, double h, const Tell& tell) {
  const TreeLink<T>& link = links_[i];
  const Node& node = nodes_[i];
  Beyond& parent = beyond_[static_cast<std::size_t>(link.parentBeyond)];
  const auto [force, asked] = askedOfJoint(link, node, start, h);
  beyond_[static_cast<std::size_t>(link.beyond)].clear(false);
  parent.force += force;
  parent.torque -= (parentOf(link).Dm * link.parentArm).cross(force);
  if (link.isHinge) parent.torque += asked - hingeResidual(link, node, asked);
  tell(i, force, asked);
}

template <class T>
template <class Tell>
void TreeKernel<T>::ask(std::span<const Motion> bodies, double h, const Tell& tell) {
  eachBranch([&](const Piece& piece) { askNodes(piece.begin, piece.end, bodies, h, tell); });
  alongTrunk(false, [&](std::size_t first, std::size_t last) { askNodes(first, last, bodies, h, tell); });
  clearGround(false);
}

template <class T>
template <class Tell>
[[gnu::flatten]] void TreeKernel<T>::askNodes(std::size_t first, std::size_t last, std::span<const Motion> bodies,
                                              double h, const Tell& tell) {
  for (std::size_t i = last; i-- > first;) {
    askOf(i, start(bodies, links_[i]), h, tell);
  }
}

template <class T>
template <class Tell>
void TreeKernel<T>::finish(std::span<Motion> bodies, double h, const Tell& tell) {
  eachBranch([&](const Piece& piece) { finishNodes(piece.begin, piece.end, bodies, h, tell); });
  alongTrunk(false, [&](std::size_t first, std::size_t last) { finishNodes(first, last, bodies, h, tell); });
  clearGround(false);
}

template <class T>
template <class Tell>
[[gnu::flatten]] void TreeKernel<T>::finishNodes(std::size_t first, std::size_t last, std::span<Motion> bodies,
                                                 double h, const Tell& tell) {
  const double rate = 2.0 / h;
  for (std::size_t i = last; i-- > first;) {
    const TreeLink<T>& link = links_[i];
    const Node& node = nodes_[i];
    Motion& body = bodies[static_cast<std::size_t>(link.body)];
    if constexpr (!std::is_same_v<Tell, Nobody>) askOf(i, body, h, tell);
    body.rate.v = rate * node.dx - body.rate.v;
    body.rate.W = crossed(Vec(rate * node.c), node.Dm) - body.rate.W;
    body.at.x += node.dx;
    Mat square = -0.5 * node.D1.transpose().lazyProduct(node.D1);
    square(0, 0) += 1.5, square(1, 1) += 1.5, square(2, 2) += 1.5;
    body.at.D = node.D1.lazyProduct(square);
  }
}

}  // namespace polhode
