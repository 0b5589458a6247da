#pragma once

#include "ensemble/gpu/walk_forces.h"
#include "integrate/mechanism/articulated.h"
#include "integrate/mechanism/turning_inertia.h"

#include <cmath>
#include <cstdint>

/// The step of director-em for trees of ball joints, hinges and slides (integrate/mechanism/tree_kernel.h has the equations), for
/// machines with many threads and little memory for each: one member of an ensemble a thread. A processor runs the same source.
///
/// What costs there is not arithmetic but what must be fetched. So a body is kept as few numbers (an attitude of four, the
/// rates of its directors and of its centre), everything else is computed again wherever it is needed, every iteration makes its
/// matrix anew, and of its elimination only the twelve numbers stay that the way back needs. Centres of mass are not kept:
/// the joints say where they are.
///
/// Numbers of 32 members lie side by side, as many as a GPU moves at a time: what these fetch together lies together, and
/// the numbers of a body follow each other at known distances.
///
/// On a slide a body turns as its parent does, and goes along an axis a of it: with sm the mean of s at both ends of the step
///
///     dx_b = dx_p + c cross Dm_p (rho_p + sm a) + Dm_p a ds - c cross Dm rho
///
/// The slide's force is orthogonal to n = Dm a0 cross Dm a1, the normals of the axis at mid-step; so n . (force on all that lies
/// beyond) = n . (what springs and motors pull along the slide) is the equation of s. Bodies that are fixed to each other are one
/// (walk_tree.h).
namespace polhode::ensemble {

/// How a body hangs on another one, the same for all members. Bodies are numbered from the root outwards.
struct WalkLink {
  int parent = -1;  // -1: the ground
  int branch = -1;  // its place among the bodies on which others hang than the next one alone; -1: is none
  bool isHinge = false;
  bool bodyCarriesAxis = false;  // or its parent
  bool isSlide = false;
  int firstForce = 0, forces = 0;  // of what acts on the body, or between it and its parent

  bool operator==(const WalkLink&) const = default;
};

/// What a link's numbers are, in this order. The axis of a slide and its normals are in the parent.
namespace of_link {
enum { arm = 0, parentArm = 3, secondMoments = 6, mass = 9, axis = 10, normal = 13, count = 19 };
}
/// What is kept of a body from step to step: its attitude as a quaternion, the turn c of the step, what pushes it, (2/h) dx - 2 v,
/// the velocity of its centre, the rates of its directors and the turn of the step before. A body on a slide, which turns with its
/// parent, has there where it is along the axis, how far it goes in the step and how far it went in the step before. Where
/// there are forces its centre is kept as well.
namespace of_body {
enum { attitude = 0, turn = 4, push = 7, velocity = 10, rates = 13, turnBefore = 22, count = 25, centre = 25 };
enum { slid = turnBefore, slides, slidBefore };
}  // namespace of_body
inline constexpr int walkWidth = 32;
inline constexpr int numbersOfLoad = 6;  // of a body: force and torque
inline constexpr int keptOfBranch = 48;  // what hangs on it; on the way back: its directors, motion and turn

/// All that a thread must know. Where it says "each" there is one for each link (or branch) of each member, in groups of
/// walkWidth members: group, then link, then number, then member.
struct WalkMemory {
  int links = 0;
  const WalkLink* link = nullptr;
  const double* gravity = nullptr;     // three numbers, of each member or, where these do not vary, of all
  const double* parameters = nullptr;  // of_link::count each, of each member or of all
  double* bodies = nullptr;            // numbersOfBody each, or numbersNear
  double* farBodies = nullptr;         // where they are kept near
  const double* loads = nullptr;       // numbersOfLoad each; none where nothing pulls
  const WalkForce* force = nullptr;    // what else acts
  int forces = 0;
  const double* forceNumbers = nullptr;  // of_force::count each, of each member or of all
  double* work = nullptr;                // of what has no potential, of each member; none where nobody asks
  double* branches = nullptr;            // keptOfBranch each
  int branchCount = 0;
};

/// How a member's step ended.
struct WalkedStep {
  int iterations;
  bool converged;
};

/// What is known before: less is fetched and less is done where nothing of it is there.
struct WalkKind {
  bool hinges = true, branches = true;  // in the tree
  bool varied = true;                   // each member has masses, lengths and gravity of its own
  bool loads = false;                   // pull at the bodies of each member, in space and at their centres of mass
  bool more = false;                    // slides, and forces between bodies
  bool isNear = false;                  // `bodies` are a part of them in fast memory; all are `farBodies`
};

/// How many of a body's numbers, the first ones, are kept in the fast memory of a GPU, where they are kept there. What is asked for
/// seldom is not: so eight bodies leave room for two threads on each unit of the card instead of one.
constexpr int numbersNear(const WalkKind& kind) {
  return kind.more ? of_body::count + 3 : static_cast<int>(of_body::rates);
}

/// How many numbers are kept of a body, and of its elimination from the leaves to the root and back.
constexpr int numbersOfBody(const WalkKind& kind) {
  return of_body::count + (kind.more ? 3 : 0);
}
constexpr int keptOfElimination(const WalkKind& kind) {
  return kind.more ? 21 : 12;
}

/// One member. `eliminated` is where its numbers of the elimination are, keptOfElimination(kind) a link, `stride` from one to
/// the next.
template <WalkKind kind>
class TreeWalk {
 public:
  POLHODE_KERNEL TreeWalk(const WalkMemory& memory, std::int64_t member, double* eliminated, int stride)
      : memory_(memory),
        group_(member / walkWidth),
        lane_(static_cast<int>(member % walkWidth)),
        eliminated_(eliminated),
        stride_(stride) {}

  /// Before the first step of a length, or after the member was put elsewhere: turns from the rates.
  POLHODE_KERNEL void begin(double h);

  /// One step, in which forces have those scales. A member that does not converge stays where it was.
  POLHODE_KERNEL WalkedStep step(double h, int mostIterations, const double* scales = nullptr);

  POLHODE_KERNEL Mat3 directors(int i) const { return directorsOf(body4(i, of_body::attitude)); }
  POLHODE_KERNEL Vec3 velocity(int i) const { return body3(i, of_body::velocity); }
  POLHODE_KERNEL Mat3 rates(int i) const {
    Mat3 W;
    for (int n = 0; n < 9; ++n) W.data()[n] = body(i, of_body::rates + n);
    return W;
  }
  POLHODE_KERNEL Vec3 secondMoments(int i) const { return number3(i, of_link::secondMoments); }
  POLHODE_KERNEL Vec3 centre(int i) const;
  POLHODE_KERNEL double energy() const;

  /// Calls with the number and the centre of mass of every body.
  template <class Visit>
  POLHODE_KERNEL void visitCentres(const Visit& visit) const;

  POLHODE_KERNEL static Mat3 directorsOf(const Vector<double, 4>& q);

 private:
  using Vec4 = Vector<double, 4>;

  /// The directors of a body at the end of the step and their mean over it.
  struct Placed {
    Mat3 end, mean;
  };

  /// How far bodies move in the step, followed from the root outwards: the last body's mean directors, turn and way.
  struct Way {
    Mat3 mean = Mat3::Identity();
    Vec3 turn = Vec3(0.0, 0.0, 0.0), moved = Vec3(0.0, 0.0, 0.0);
  };

  /// What hangs on a body: forces of its joints and their torques about its centre; what their elimination leaves and the matrix,
  /// by the motion of the point of its own joint and its turn.
  struct Beyond {
    Vec3 force, torque, onPlace, onTurn;
    Articulated<double> matrix;
  };

  /// What a body has just eliminated hands to its parent, at the point of the joint.
  struct Handed {
    Vec3 force, torque, onPlace, onTurn;
    Articulated<double> matrix;  // of a ball joint only `xx`
  };

  /// What loads do to a body, the torque about its centre, and how that changes with its turn.
  struct Outside {
    Vec3 force = Vec3(0.0, 0.0, 0.0), torque = Vec3(0.0, 0.0, 0.0);
    Mat3 forceByTurn = Mat3::Zero(), torqueByTurn = Mat3::Zero();
  };

  /// What springs and motors do along a slide, times the step, and by how much less that is further along, and by the turn.
  struct SprungSlide {
    Vec3 force = Vec3(0.0, 0.0, 0.0), bySlide = Vec3(0.0, 0.0, 0.0), alongByTurn = Vec3(0.0, 0.0, 0.0);
  };
  static constexpr int bodyCount = kind.isNear ? numbersNear(kind) : numbersOfBody(kind),
                       keptCount = keptOfElimination(kind);

  POLHODE_KERNEL std::int64_t place(int i, int each) const {
    return (group_ * memory_.links + i) * each * walkWidth + lane_;
  }
  POLHODE_KERNEL double number(int link, int k) const {
    return kind.varied ? memory_.parameters[place(link, of_link::count) + k * walkWidth]
                       : memory_.parameters[link * of_link::count + k];
  }
  POLHODE_KERNEL Vec3 number3(int link, int k) const {
    return {number(link, k), number(link, k + 1), number(link, k + 2)};
  }
  POLHODE_KERNEL Vec3 gravity() const {
    const double* g = kind.varied ? memory_.gravity + group_ * 3 * walkWidth + lane_ : memory_.gravity;
    constexpr int next = kind.varied ? walkWidth : 1;
    return {g[0], g[next], g[2 * next]};
  }

  POLHODE_KERNEL Vec3 load3(int i, int k) const {
    const double* load = memory_.loads + place(i, numbersOfLoad) + k * walkWidth;
    return {load[0], load[walkWidth], load[2 * walkWidth]};
  }
  POLHODE_KERNEL double& body(int i, int k) const {
    if (kind.isNear && k >= bodyCount) return memory_.farBodies[place(i, numbersOfBody(kind)) + k * walkWidth];
    return memory_.bodies[place(i, bodyCount) + k * walkWidth];
  }
  POLHODE_KERNEL Vec3 body3(int i, int k) const { return {body(i, k), body(i, k + 1), body(i, k + 2)}; }
  POLHODE_KERNEL Vec4 body4(int i, int k) const { return {body(i, k), body(i, k + 1), body(i, k + 2), body(i, k + 3)}; }
  template <class Values>
  POLHODE_KERNEL void put(int i, int k, const Values& values) const {
    for (int n = 0; n < values.size(); ++n) body(i, k + n) = values.data()[n];
  }
  POLHODE_KERNEL double& eliminated(int i, int k) const { return eliminated_[(i * keptCount + k) * stride_]; }
  POLHODE_KERNEL bool isSlide(int i) const { return kind.more && memory_.link[i].isSlide; }
  POLHODE_KERNEL double forceNumber(int f, int k) const {
    return kind.varied ? memory_.forceNumbers[((group_ * memory_.forces + f) * of_force::count + k) * walkWidth + lane_]
                       : memory_.forceNumbers[f * of_force::count + k];
  }
  POLHODE_KERNEL Vec3 forceNumber3(int f, int k) const {
    return {forceNumber(f, k), forceNumber(f, k + 1), forceNumber(f, k + 2)};
  }
  POLHODE_KERNEL double scaleOf(const WalkForce& force) const { return force.scale < 0 ? 1.0 : scales_[force.scale]; }
  POLHODE_KERNEL AlongCoordinate lawOf(int f) const {
    return {forceNumber(f, of_force::stiffness), forceNumber(f, of_force::rest), forceNumber(f, of_force::damping),
            forceNumber(f, of_force::effort) * scaleOf(memory_.force[f])};
  }
  template <class Each>
  POLHODE_KERNEL void visitForces(int i, const Each& each) const {
    const WalkLink link = memory_.link[i];
    for (int f = link.firstForce; f < link.firstForce + link.forces; ++f) each(f, memory_.force[f]);
  }
  struct Kept {
    double numbers[keptCount];
  };
  POLHODE_KERNEL Kept keptOf(int i) const {
    Kept kept;
    for (int k = 0; k < keptCount; ++k) kept.numbers[k] = eliminated(i, k);
    return kept;
  }
  POLHODE_KERNEL double& branch(int number, int k) const {
    return memory_.branches[((group_ * memory_.branchCount + number) * keptOfBranch + k) * walkWidth + lane_];
  }

  /// D1 = cay(c) D0 and Dm = (D0 + D1)/2 = (I + c^/2 + c c^T/4)/(1 + c^2/4) D0.
  POLHODE_KERNEL static Placed placed(const Mat3& D0, const Vec3& c);
  POLHODE_KERNEL Placed placed(int i) const { return placed(directors(i), body3(i, of_body::turn)); }

  POLHODE_KERNEL HingeAxes<double> axesAt(int i, const Mat3& body, const Mat3& parent) const;
  POLHODE_KERNEL void comeFromParent(int i, double h, Way& way) const;
  POLHODE_KERNEL void moveOn(int i, double h, const Mat3& mean, const Vec3& c, Way& way) const;
  POLHODE_KERNEL void inward(double h) const;
  POLHODE_KERNEL double outward(double h) const;
  POLHODE_KERNEL void finish(double h) const;
  POLHODE_KERNEL void holdOnParent(int i, const Placed& parent, Levers<double>& levers) const;
  POLHODE_KERNEL Vec3 lever(int i, const Mat3& parent, double slid) const;
  POLHODE_KERNEL Placed placedParent(int i) const;
  POLHODE_KERNEL WalkLine lineToGround(int i, int f, double h, const Placed& own) const;
  POLHODE_KERNEL WalkLine lineAcross(int i, int f, const Placed& own, const Placed& parent) const;
  struct Turned {
    WalkAngle angle;
    Vec3 gradient, atEnd;  // by the turn of the second body
  };
  POLHODE_KERNEL Turned turnedHinge(int f, const Placed& own, const Placed& parent) const;
  POLHODE_KERNEL Outside outside(int i, double h, const Placed& own, const Levers<double>& levers,
                                 Beyond& beyond) const;
  POLHODE_KERNEL Outside load(int f, const WalkForce& force, const Placed& own) const;
  POLHODE_KERNEL SprungJoint<double> sprungJoint(int i, double h, const Placed& own, const Placed& parent) const;
  POLHODE_KERNEL SprungSlide sprungSlide(int i, double h, const Placed& own, const Placed& parent,
                                         const Vec3& normal) const;
  POLHODE_KERNEL Handed eliminateSlide(int i, double h, const Beyond& beyond, const Vec3& force, const Vec3& asked,
                                       const Placed& own, const Placed& parent) const;
  POLHODE_KERNEL void goAlong(int i, Way& way, double h) const;
  POLHODE_KERNEL double workOver(double h) const;
  POLHODE_KERNEL double potentialOfForces(int i) const;
  POLHODE_KERNEL Handed eliminate(int i, double h, const Beyond& beyond, const Vec3& force, const Vec3& asked,
                                  const Placed& own, const Placed& parent) const;
  POLHODE_KERNEL static Beyond hung(const Handed& handed, const Levers<double>& levers);
  template <class Each>
  POLHODE_KERNEL static void visit(Beyond& beyond, const Each& each);

  const WalkMemory& memory_;
  std::int64_t group_;
  int lane_;
  double* eliminated_;
  int stride_;
  const double* scales_ = nullptr;
};

template <WalkKind kind>
POLHODE_KERNEL inline Mat3 TreeWalk<kind>::directorsOf(const Vec4& q) {
  const double w = q[0], x = q[1], y = q[2], z = q[3];
  Mat3 D;
  D << 1.0 - 2.0 * (y * y + z * z), 2.0 * (x * y - w * z), 2.0 * (x * z + w * y),  //
      2.0 * (x * y + w * z), 1.0 - 2.0 * (x * x + z * z), 2.0 * (y * z - w * x),   //
      2.0 * (x * z - w * y), 2.0 * (y * z + w * x), 1.0 - 2.0 * (x * x + y * y);
  return D;
}

template <WalkKind kind>
POLHODE_KERNEL inline typename TreeWalk<kind>::Placed TreeWalk<kind>::placed(const Mat3& D0, const Vec3& c) {
  const Vec3 half = 0.5 * c;
  const double s = 1.0 / (1.0 + half.squaredNorm());
  const Vec3 sh = s * half;
  Mat3 H = sh * half.transpose();
  H(0, 0) += s, H(1, 1) += s, H(2, 2) += s;
  H(0, 1) -= sh[2], H(0, 2) += sh[1], H(1, 0) += sh[2], H(1, 2) -= sh[0], H(2, 0) -= sh[1], H(2, 1) += sh[0];
  Placed p;
  p.mean = H.lazyProduct(D0);
  p.end = 2.0 * p.mean - D0;
  return p;
}

template <WalkKind kind>
POLHODE_KERNEL inline HingeAxes<double> TreeWalk<kind>::axesAt(int i, const Mat3& body, const Mat3& parent) const {
  const bool bodyCarries = memory_.link[i].bodyCarriesAxis;
  const Mat3 &axis = bodyCarries ? body : parent, &normal = bodyCarries ? parent : body;
  return {axis * number3(i, of_link::axis),
          {normal * number3(i, of_link::normal), normal * number3(i, of_link::normal + 3)},
          bodyCarries};
}

template <WalkKind kind>
template <class Each>
POLHODE_KERNEL inline void TreeWalk<kind>::visit(Beyond& beyond, const Each& each) {
  int k = 0;
  const auto all = [&](double* numbers, int count) {
    for (int n = 0; n < count; ++n) each(k++, numbers[n]);
  };
  all(beyond.force.data(), 3), all(beyond.torque.data(), 3), all(beyond.onPlace.data(), 3),
      all(beyond.onTurn.data(), 3);
  all(beyond.matrix.xx.data(), 9), all(beyond.matrix.xt.data(), 9), all(beyond.matrix.tx.data(), 9),
      all(beyond.matrix.tt.data(), 9);
}

/// What is handed at `b` of the body, whose own joint is at `a`.
template <WalkKind kind>
POLHODE_KERNEL inline typename TreeWalk<kind>::Beyond TreeWalk<kind>::hung(const Handed& handed,
                                                                           const Levers<double>& l) {
  const Vec3 reach = l.b - l.a, reachLeft = l.bLeft - l.aLeft;
  Beyond beyond;
  beyond.force = handed.force;
  beyond.torque = handed.force.cross(l.bLeft);
  beyond.onPlace = handed.onPlace;
  beyond.onTurn = reachLeft.cross(handed.onPlace);
  if constexpr (kind.hinges) {
    beyond.torque += handed.torque;
    beyond.onTurn += handed.onTurn;
    beyond.matrix = Articulated<double>::atPoint(handed.matrix, reach, reachLeft);
  } else {
    beyond.matrix = Articulated<double>::atPoint(handed.matrix.xx, reach, reachLeft);
  }
  beyond.matrix.tt += 0.5 * doubleCross<double>(handed.force, l.b);
  return beyond;
}

/// Eliminates the turn of a body, or what a hinge leaves free of it.
template <WalkKind kind>
POLHODE_KERNEL inline typename TreeWalk<kind>::Handed TreeWalk<kind>::eliminate(int i, double h, const Beyond& beyond,
                                                                                const Vec3& force, const Vec3& asked,
                                                                                const Placed& own,
                                                                                const Placed& parent) const {
  if (isSlide(i)) return eliminateSlide(i, h, beyond, force, asked, own, parent);
  Handed handed;
  handed.force = force;
  SprungJoint<double> springs;
  if constexpr (kind.more) springs = sprungJoint(i, h, own, parent);
  if (kind.hinges && memory_.link[i].isHinge) {
    const HingeAxes<double> end = axesAt(i, own.end, parent.end), mean = axesAt(i, own.mean, parent.mean);
    HingeElimination<double> hinge;
    Vec3 left = asked;  // to the hinge itself
    if constexpr (kind.more) left += springs.torque;
    handed.matrix = hinge.factorise(beyond.matrix, end, mean, left, kind.more ? &springs : nullptr);
    const Vec3 residual = mean.axis.dot(left) / mean.axis.squaredNorm() * mean.axis;
    const Remainder<double> rest = hinge.eliminate(beyond.onPlace, residual + beyond.onTurn, end);
    handed.torque = asked - residual;
    handed.onPlace = rest.force, handed.onTurn = rest.torque;
    for (int k = 0; k < 3; ++k) {
      eliminated(i, k) = hinge.ownTurn()[k];
      eliminated(i, 3 + k) = hinge.placeRow()[k];
      eliminated(i, 6 + k) = hinge.turnRow()[k];
      eliminated(i, 9 + k) = end.axis[k];
    }
    return handed;
  }
  BallElimination<double> ball;
  if constexpr (kind.more) {
    Articulated<double> sprung = beyond.matrix;
    sprung.tt += springs.byBody;
    handed.matrix.xx = ball.factorise(sprung);
    handed.onPlace = ball.eliminate(beyond.onPlace, asked + springs.torque + beyond.onTurn);
    const Mat3 byParent = ball.inverse() * springs.byParent;
    handed.matrix.xt = -beyond.matrix.xt * byParent;
    handed.matrix.tx = springs.byBody * ball.byPlace();
    handed.matrix.tt = springs.byBody * byParent - springs.byParent;
    handed.torque = -springs.torque;
    handed.onTurn = springs.byBody * ball.ownTurn();
    for (int k = 0; k < 3; ++k) eliminated(i, k) = ball.ownTurn()[k];
    for (int k = 0; k < 9; ++k) eliminated(i, 3 + k) = ball.byPlace().data()[k];
    for (int k = 0; k < 9; ++k) eliminated(i, 12 + k) = byParent.data()[k];
    return handed;
  }
  if constexpr (kind.hinges) handed.matrix = Articulated<double>(), handed.torque.setZero(), handed.onTurn.setZero();
  handed.matrix.xx = ball.factorise(beyond.matrix);
  handed.onPlace = ball.eliminate(beyond.onPlace, asked + beyond.onTurn);
  for (int k = 0; k < 3; ++k) eliminated(i, k) = ball.ownTurn()[k];
  for (int k = 0; k < 9; ++k) eliminated(i, 3 + k) = ball.byPlace().data()[k];
  return handed;
}

/// The equations of all bodies, eliminated from the leaves to the root.
template <WalkKind kind>
POLHODE_KERNEL inline void TreeWalk<kind>::inward(double h) const {
  const Vec3 g = gravity();
  Handed handed;      // by the body before this one
  int handedTo = -1;  // to whom, where it is not yet among what hangs on it
  Placed own, parent;
  for (int i = memory_.links - 1; i >= 0; --i) {
    const WalkLink link = memory_.link[i];
    if (kind.hinges && handedTo == i)
      own = parent;
    else
      own = placed(i);
    const Vec3 c = body3(i, of_body::turn);
    const TurningResistance<double> turning(number3(i, of_link::secondMoments), own.mean, rates(i), c, h);
    const Vec3 arm = number3(i, of_link::arm);
    Levers<double> levers;
    levers.a = own.end * arm, levers.aLeft = own.mean * arm;
    Beyond beyond;
    if (kind.branches && link.branch >= 0) {
      visit(beyond, [&](int k, double& each) { each = branch(link.branch, k), branch(link.branch, k) = 0.0; });
    } else if (handedTo == i) {
      holdOnParent(i + 1, own, levers);
      beyond = hung(handed, levers);
    } else {
      visit(beyond, [](int, double& each) { each = 0.0; });
    }
    Outside loads;
    if constexpr (kind.more) loads = outside(i, h, own, levers, beyond);
    const double m = number(i, of_link::mass), mass = 2.0 / h * m;
    Vec3 force = beyond.force + m * (body3(i, of_body::push) - h * g);
    Vec3 asked = beyond.torque - turning.torque;
    if constexpr (kind.loads && !kind.more) force -= h * load3(i, 0), asked += h * load3(i, 3);
    if constexpr (kind.more) force -= h * loads.force, asked += h * loads.torque;
    asked += levers.aLeft.cross(force);
    // the body itself, by the motion of its joint and its turn
    Articulated<double>& M = beyond.matrix;
    const Vec3 ma = mass * levers.a, maLeft = mass * levers.aLeft;
    M.tt +=
        turning.stiffness - doubleCross<double>(Vec3(0.5 * force), levers.a) - doubleCross<double>(maLeft, levers.a);
    if constexpr (kind.more) {
      M.xt -= h * loads.forceByTurn;
      M.tt += h * (crossed(levers.aLeft, loads.forceByTurn) - loads.torqueByTurn);
    }
    M.xx(0, 0) += mass, M.xx(1, 1) += mass, M.xx(2, 2) += mass;
    M.xt(0, 1) -= ma[2], M.xt(0, 2) += ma[1], M.xt(1, 0) += ma[2];
    M.xt(1, 2) -= ma[0], M.xt(2, 0) -= ma[1], M.xt(2, 1) += ma[0];
    M.tx(0, 1) += maLeft[2], M.tx(0, 2) -= maLeft[1], M.tx(1, 0) -= maLeft[2];
    M.tx(1, 2) += maLeft[0], M.tx(2, 0) += maLeft[1], M.tx(2, 1) -= maLeft[0];

    const bool parentIsNext = link.parent >= 0 && (!kind.branches || memory_.link[link.parent].branch < 0);
    if (link.parent < 0)
      parent.end.setIdentity(), parent.mean.setIdentity();
    else if (kind.hinges || !parentIsNext)
      parent = placed(link.parent);
    handed = eliminate(i, h, beyond, force, asked, own, parent);
    handedTo = parentIsNext ? link.parent : -1;
    if (kind.branches && link.parent >= 0 && !parentIsNext) {
      const int at = memory_.link[link.parent].branch;
      const Vec3 parentArm = number3(link.parent, of_link::arm);
      levers.a = parent.end * parentArm, levers.aLeft = parent.mean * parentArm;
      holdOnParent(i, parent, levers);
      beyond = hung(handed, levers);
      visit(beyond, [&](int k, double& each) { branch(at, k) += each; });
    }
  }
}

/// The way of a body's parent, where the body before it is another one.
template <WalkKind kind>
POLHODE_KERNEL inline void TreeWalk<kind>::comeFromParent(int i, double h, Way& way) const {
  const int parent = memory_.link[i].parent;
  if (parent < 0) {
    way.mean.setIdentity(), way.turn.setZero(), way.moved.setZero();
  } else if (kind.branches && parent != i - 1) {
    way.mean = placed(parent).mean;
    way.turn = body3(parent, of_body::turn);
    way.moved = 0.5 * h * (body3(parent, of_body::push) + 2.0 * velocity(parent));
  }
}

/// From the parent's way to the body's own: dx = dx_p + c_p cross Dm_p rho_p - c cross Dm rho, and what pushes it,
/// (2/h) dx - 2 v.
template <WalkKind kind>
POLHODE_KERNEL inline void TreeWalk<kind>::moveOn(int i, double h, const Mat3& mean, const Vec3& c, Way& way) const {
  if (isSlide(i)) goAlong(i, way, h);
  way.moved +=
      way.turn.cross(Vec3(way.mean * number3(i, of_link::parentArm))) - c.cross(Vec3(mean * number3(i, of_link::arm)));
  way.mean = mean, way.turn = c;
  put(i, of_body::push, Vec3(2.0 / h * way.moved - 2.0 * velocity(i)));
}

/// Back from the root to the leaves: corrects the turns and places the bodies anew. Returns the square of the largest change.
template <WalkKind kind>
POLHODE_KERNEL inline double TreeWalk<kind>::outward(double h) const {
  double largest = 0.0;
  Kept next = keptOf(0);
  Way way;
  Mat3 parentEnd = Mat3::Identity();          // directors of the body before this one at the end, as they were,
  Vec3 motion = Vec3::Zero(), turn = motion;  // and its correction: of the place and of the directors
  for (int i = 0; i < memory_.links; ++i) {
    const WalkLink link = memory_.link[i];
    comeFromParent(i, h, way);
    if (link.parent < 0) {
      parentEnd.setIdentity(), motion.setZero(), turn.setZero();
    } else if (kind.branches && link.parent != i - 1) {
      const int at = memory_.link[link.parent].branch;
      for (int k = 0; k < 9; ++k) parentEnd.data()[k] = branch(at, k);
      for (int k = 0; k < 3; ++k) motion[k] = branch(at, 9 + k), turn[k] = branch(at, 12 + k);
    }
    const Mat3 D0 = directors(i);
    Vec3 c = body3(i, of_body::turn);
    Vec3 point = motion;
    if (isSlide(i))
      point -= lever(i, parentEnd, body(i, of_body::slid) + body(i, of_body::slides)).cross(turn);
    else
      point -= Vec3(parentEnd * number3(i, of_link::parentArm)).cross(turn);
    const Kept kept = next;
    if (i + 1 < memory_.links) next = keptOf(i + 1);  // fetched while this body is computed
    Vec3 own(kept.numbers[0], kept.numbers[1], kept.numbers[2]);
    double slides = 0.0;
    if (isSlide(i)) {
      slides = own[0];
      for (int k = 0; k < 3; ++k) slides -= kept.numbers[3 + k] * point[k] + kept.numbers[6 + k] * turn[k];
      point += slides * Vec3(parentEnd * number3(i, of_link::axis));
      body(i, of_body::slides) += slides;
      own = turn;
    } else if (kind.hinges && link.isHinge) {
      double along = 0.0;
      for (int k = 0; k < 3; ++k) along += kept.numbers[3 + k] * point[k] + kept.numbers[6 + k] * turn[k];
      for (int k = 0; k < 3; ++k) own[k] += turn[k] - along * kept.numbers[9 + k];
    } else {
      for (int j = 0; j < 3; ++j)
        for (int k = 0; k < 3; ++k) own[k] -= kept.numbers[3 + 3 * j + k] * point[j];
      if constexpr (kind.more)
        for (int j = 0; j < 3; ++j)
          for (int k = 0; k < 3; ++k) own[k] -= kept.numbers[12 + 3 * j + k] * turn[j];
    }
    parentEnd = placed(D0, c).end;
    motion = point + Vec3(parentEnd * number3(i, of_link::arm)).cross(own);
    turn = own;
    if (kind.branches && link.branch >= 0) {
      for (int k = 0; k < 9; ++k) branch(link.branch, k) = parentEnd.data()[k];
      for (int k = 0; k < 3; ++k) branch(link.branch, 9 + k) = motion[k], branch(link.branch, 12 + k) = turn[k];
    }
    const Vec3 change = own - 0.5 * c.cross(own) + (0.25 * c.dot(own)) * c;
    const double size = kind.more ? change.squaredNorm() + slides * slides : change.squaredNorm();
    largest = size > largest || !(size == size) ? size : largest;  // what is no number stays
    c += change;
    if (isSlide(i)) c = way.turn;  // to the last bit
    put(i, of_body::turn, c);
    moveOn(i, h, placed(D0, c).mean, c, way);
  }
  for (int i = 0; kind.branches && i < memory_.links; ++i)
    if (const int at = memory_.link[i].branch; at >= 0)
      for (int k = 0; k < 15; ++k) branch(at, k) = 0.0;
  return largest;
}

/// The motion at the end of the step, and what is expected of the next one: turns go on as they changed.
template <WalkKind kind>
POLHODE_KERNEL inline void TreeWalk<kind>::finish(double h) const {
  if constexpr (kind.more)
    if (memory_.work) memory_.work[group_ * walkWidth + lane_] += workOver(h);
  Way way;
  for (int i = 0; i < memory_.links; ++i) {
    const Vec3 c = body3(i, of_body::turn);
    Vec4 q = body4(i, of_body::attitude);
    put(i, of_body::rates, Mat3(crossed<double>(Vec3(2.0 / h * c), placed(directorsOf(q), c).mean) - rates(i)));
    put(i, of_body::velocity, Vec3(body3(i, of_body::push) + velocity(i)));

    // the quaternion (1, c/2) turns it; its length is kept at one, whatever rounding does
    const Vec3 half = 0.5 * c, v(q[1], q[2], q[3]);
    const Vec3 turned = v + q[0] * half + half.cross(v);
    q = Vec4(q[0] - half.dot(v), turned[0], turned[1], turned[2]) / std::sqrt(1.0 + half.squaredNorm());
    q *= 1.5 - 0.5 * q.squaredNorm();
    put(i, of_body::attitude, q);

    Vec3 next = 2.0 * c - body3(i, of_body::turnBefore);
    comeFromParent(i, h, way);
    if (isSlide(i)) {
      const double went = body(i, of_body::slides);
      body(i, of_body::slid) += went;
      body(i, of_body::slides) = 2.0 * went - body(i, of_body::slidBefore);
      body(i, of_body::slidBefore) = went;
      next = way.turn;
    } else {
      put(i, of_body::turnBefore, c);
    }
    put(i, of_body::turn, next);
    if constexpr (kind.more) {  // the joints say where it is
      const int parent = memory_.link[i].parent;
      Vec3 x = lever(i, parent < 0 ? Mat3(Mat3::Identity()) : directors(parent), body(i, of_body::slid));
      if (parent >= 0) x += body3(parent, of_body::centre);
      put(i, of_body::centre, Vec3(x - directorsOf(q) * number3(i, of_link::arm)));
    }
    moveOn(i, h, placed(directorsOf(q), next).mean, next, way);
  }
}

template <WalkKind kind>
POLHODE_KERNEL inline void TreeWalk<kind>::begin(double h) {
  Way way;
  for (int i = 0; i < memory_.links; ++i) {
    const Mat3 D = directors(i), W = rates(i);
    Vec3 c = Vec3::Zero();
    for (int d = 0; d < 3; ++d) c += 0.5 * h * Vec3(D.col(d)).cross(Vec3(W.col(d)));
    comeFromParent(i, h, way);
    if (isSlide(i)) {
      const int parent = memory_.link[i].parent;
      Vec3 speed = velocity(i) + W * number3(i, of_link::arm), axis = number3(i, of_link::axis);
      if (parent >= 0) {
        speed -= velocity(parent) + lever(i, rates(parent), body(i, of_body::slid));
        axis = directors(parent) * axis;
      }
      body(i, of_body::slides) = body(i, of_body::slidBefore) = h * axis.dot(speed);
      c = way.turn;
    } else {
      put(i, of_body::turnBefore, c);
    }
    put(i, of_body::turn, c);
    moveOn(i, h, placed(D, c).mean, c, way);
  }
}

/// Newton's method squares the error with every iteration, so that after a change of 1e-10 nothing is left but rounding. With
/// forces the matrix is not quite the derivative: there the next change, which is expected to be smaller by as much as this one was,
/// must vanish in rounding as well, or changes be nothing but rounding themselves.
template <WalkKind kind>
POLHODE_KERNEL inline WalkedStep TreeWalk<kind>::step(double h, int mostIterations, const double* scales) {
  scales_ = scales;
  constexpr double suffices = 1e-20, rounding = 1e-32;  // squares
  double before = 0.0;
  for (int iteration = 1; iteration <= mostIterations; ++iteration) {
    inward(h);
    const double change = outward(h);
    if (!(change < 1e2)) break;
    bool isDone = change <= suffices;
    if (kind.more && isDone && change > rounding)
      isDone = before > 0.0 && (change * change <= rounding * before || (change < 1e-26 && change > 1e-2 * before));
    before = change;
    if (!isDone) continue;
    finish(h);
    return {iteration, true};
  }
  return {mostIterations, false};
}

template <WalkKind kind>
template <class Visit>
POLHODE_KERNEL inline void TreeWalk<kind>::visitCentres(const Visit& visit) const {
  for (int i = 0; i < memory_.links; ++i) visit(i, centre(i));
}

template <WalkKind kind>
POLHODE_KERNEL inline Vec3 TreeWalk<kind>::centre(int i) const {
  if constexpr (kind.more) return body3(i, of_body::centre);
  Vec3 x = Vec3::Zero();
  int child = i;
  for (; memory_.link[child].parent >= 0; child = memory_.link[child].parent)
    x += directors(memory_.link[child].parent) * number3(child, of_link::parentArm) -
         directors(child) * number3(child, of_link::arm);
  x += number3(child, of_link::parentArm) - directors(child) * number3(child, of_link::arm);
  return x;
}

template <WalkKind kind>
POLHODE_KERNEL inline double TreeWalk<kind>::energy() const {
  double sum = 0.0;
  const Vec3 g = gravity();
  visitCentres([&](int i, const Vec3& x) {
    const double m = number(i, of_link::mass);
    const Mat3 W = rates(i);
    sum += 0.5 * m * velocity(i).squaredNorm() - m * g.dot(x);
    for (int d = 0; d < 3; ++d) sum += 0.5 * number(i, of_link::secondMoments + d) * W.col(d).squaredNorm();
    if constexpr (kind.more) sum += potentialOfForces(i);
  });
  return sum;
}

}  // namespace polhode::ensemble

#include "ensemble/gpu/tree_walk_forces.h"
