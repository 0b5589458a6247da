#pragma once

#include "ensemble/gpu/tree_walk.h"

/// Slides and forces in the walk over a tree (tree_walk.h, which includes this).
///
/// What acts across a joint is part of what the joint hands on: the forces on a body and on its parent are opposite and lie on
/// one line, so that they only say how large those components of the joint's force and torque are that the joint itself leaves
/// free. A force between a body and a point of space is like a ball joint to a body without mass.
namespace polhode::ensemble {

/// a^ as a matrix.
POLHODE_KERNEL inline Mat3 skew(const Vec3& a) {
  Mat3 r;
  r << 0.0, -a[2], a[1], a[2], 0.0, -a[0], -a[1], a[0], 0.0;
  return r;
}

template <WalkKind kind>
POLHODE_KERNEL inline typename TreeWalk<kind>::Placed TreeWalk<kind>::placedParent(int i) const {
  if (memory_.link[i].parent >= 0) return placed(memory_.link[i].parent);
  Placed ground;
  ground.end.setIdentity(), ground.mean.setIdentity();
  return ground;
}

/// From the parent's centre to the joint, by the parent's directors.
template <WalkKind kind>
POLHODE_KERNEL inline Vec3 TreeWalk<kind>::lever(int i, const Mat3& parent, double slid) const {
  Vec3 arm = number3(i, of_link::parentArm);
  if (isSlide(i)) arm += slid * number3(i, of_link::axis);
  return parent * arm;
}

/// The joint's point seen from the parent: that of a slide moves, and pulls where it is in the mean of both ends.
template <WalkKind kind>
POLHODE_KERNEL inline void TreeWalk<kind>::holdOnParent(int i, const Placed& parent, Levers<double>& levers) const {
  const Vec3 joint = number3(i, of_link::parentArm);
  levers.b = parent.end * joint, levers.bLeft = parent.mean * joint;
  if (!isSlide(i)) return;
  const double s0 = body(i, of_body::slid), s1 = s0 + body(i, of_body::slides);
  const Vec3 axis = number3(i, of_link::axis), atEnd = parent.end * axis;
  levers.b += s1 * atEnd;
  levers.bLeft += 0.5 * (s1 - s0) * atEnd + s0 * Vec3(parent.mean * axis);
}

/// What a slide adds to the way of a body: what its parent's turn and its own going on move it along the axis.
template <WalkKind kind>
POLHODE_KERNEL inline void TreeWalk<kind>::goAlong(int i, Way& way, double) const {
  const Vec3 axis = way.mean * number3(i, of_link::axis);
  const double s0 = body(i, of_body::slid), goes = body(i, of_body::slides);
  way.moved += (s0 + 0.5 * goes) * Vec3(way.turn.cross(axis)) + goes * axis;
}

template <WalkKind kind>
POLHODE_KERNEL inline WalkLine TreeWalk<kind>::lineToGround(int i, int f, double h, const Placed& own) const {
  const Vec3 point = forceNumber3(f, of_force::a), mean = own.mean * point, end = own.end * point;
  const Vec3 from = body3(i, of_body::centre) - forceNumber3(f, of_force::b);
  const Vec3 moved = 0.5 * h * (body3(i, of_body::push) + 2.0 * velocity(i));
  return WalkLine(from + 2.0 * mean - end, from + moved + end);
}

template <WalkKind kind>
POLHODE_KERNEL inline WalkLine TreeWalk<kind>::lineAcross(int i, int f, const Placed& own, const Placed& parent) const {
  const Vec3 point = forceNumber3(f, of_force::a), other = forceNumber3(f, of_force::b);
  Vec3 before = (2.0 * own.mean - own.end) * point - (2.0 * parent.mean - parent.end) * other;
  Vec3 after = own.end * point - parent.end * other;
  if (isSlide(i)) {
    const double s0 = body(i, of_body::slid), s1 = s0 + body(i, of_body::slides);
    const Vec3 axis = number3(i, of_link::axis), end = parent.end * axis, mean = parent.mean * axis;
    before += s0 * (2.0 * mean - end), after += s1 * end;
  }
  return WalkLine(before, after);
}

template <WalkKind kind>
POLHODE_KERNEL inline typename TreeWalk<kind>::Turned TreeWalk<kind>::turnedHinge(int f, const Placed& own,
                                                                                  const Placed& parent) const {
  const bool isSecond = memory_.force[f].bodyIsSecond;
  const Placed &first = isSecond ? parent : own, &second = isSecond ? own : parent;
  const Vec3 zero = forceNumber3(f, of_force::a), quarter = forceNumber3(f, of_force::b);
  const Vec3 pointer = forceNumber3(f, of_force::c);
  const Vec3 x1 = first.end * zero, y1 = first.end * quarter, p1 = second.end * pointer;
  const Vec3 xm = first.mean * zero, ym = first.mean * quarter, pm = second.mean * pointer;
  const Vec3 x0 = 2.0 * xm - x1, y0 = 2.0 * ym - y1, p0 = 2.0 * pm - p1;
  const double S = y1.dot(p1), C = x1.dot(p1);
  const WalkAngle angle(y0.dot(p0), x0.dot(p0), S, C);
  return {angle, angle.factor * pm.cross(Vec3(angle.cosine * ym - angle.sine * xm)),
          p1.cross(Vec3((C * y1 - S * x1) / (C * C + S * S)))};
}

template <WalkKind kind>
POLHODE_KERNEL inline typename TreeWalk<kind>::Outside TreeWalk<kind>::load(int f, const WalkForce& force,
                                                                            const Placed& own) const {
  Outside all;
  Vec3 pull = forceNumber3(f, of_force::a);
  if (force.overTime)
    for (int k = 0; k < 3; ++k) pull[k] = scales_[force.scale + k];
  else
    pull *= scaleOf(force);
  const Vec3 atEnd = force.inBody ? Vec3(own.end * pull) : Vec3(0.0, 0.0, 0.0);
  if (force.inBody) pull = own.mean * pull;
  if (force.kind == WalkForceKind::torque) {
    all.torque = pull, all.torqueByTurn = -0.5 * skew(atEnd);
    return all;
  }
  const Vec3 point = forceNumber3(f, of_force::b), mean = own.mean * point, end = own.end * point;
  all.force = pull, all.torque = mean.cross(pull);
  all.forceByTurn = -0.5 * skew(atEnd);
  all.torqueByTurn = 0.5 * doubleCross<double>(pull, end) - 0.5 * doubleCross<double>(mean, atEnd);
  return all;
}

/// What pulls at a body from outside; springs to points of space hang on it.
template <WalkKind kind>
POLHODE_KERNEL inline typename TreeWalk<kind>::Outside TreeWalk<kind>::outside(int i, double h, const Placed& own,
                                                                               const Levers<double>& levers,
                                                                               Beyond& beyond) const {
  Outside sum;
  if (kind.loads && memory_.loads) sum.force = load3(i, 0), sum.torque = load3(i, 3);
  visitForces(i, [&](int f, const WalkForce& force) {
    if (force.kind == WalkForceKind::load || force.kind == WalkForceKind::torque) {
      const Outside one = load(f, force, own);
      sum.force += one.force, sum.torque += one.torque;
      sum.forceByTurn += one.forceByTurn, sum.torqueByTurn += one.torqueByTurn;
    }
    if (force.kind != WalkForceKind::toGround) return;
    const WalkLine line = lineToGround(i, f, h, own);
    const AlongCoordinate law = lawOf(f);
    const double pull = law.force(line.before, line.after, h);
    Handed spring;
    spring.force = -h * pull * line.gradient;
    spring.torque.setZero(), spring.onPlace.setZero(), spring.onTurn.setZero();
    spring.matrix.xx = h * line.stiffness(pull, law.slope(h));
    const Vec3 point = forceNumber3(f, of_force::a);
    const Beyond hangs = hung(spring, {levers.a, levers.aLeft, own.end * point, own.mean * point});
    beyond.force += hangs.force, beyond.torque += hangs.torque;
    beyond.matrix.xx += hangs.matrix.xx, beyond.matrix.xt += hangs.matrix.xt;
    beyond.matrix.tx += hangs.matrix.tx, beyond.matrix.tt += hangs.matrix.tt;
  });
  return sum;
}

/// Of lines these are exact; of angles without what the gradient changes, which is of the order of the turn's square.
template <WalkKind kind>
POLHODE_KERNEL inline SprungJoint<double> TreeWalk<kind>::sprungJoint(int i, double h, const Placed& own,
                                                                      const Placed& parent) const {
  SprungJoint<double> springs;
  visitForces(i, [&](int f, const WalkForce& force) {
    const AlongCoordinate law = lawOf(f);
    if (force.kind == WalkForceKind::across) {
      const WalkLine line = lineAcross(i, f, own, parent);
      const double F = law.force(line.before, line.after, h);
      const Vec3 point = forceNumber3(f, of_force::a), mean = own.mean * point, end = own.end * point;
      const Vec3 pull = h * F * line.gradient;
      const Mat3 K = h * line.stiffness(F, law.slope(h));
      springs.torque += mean.cross(pull);
      springs.byBody -= 0.5 * doubleCross<double>(pull, end) + crossed(mean, crossed(K, end));
      springs.byParent += crossed(mean, crossed(K, Vec3(parent.end * forceNumber3(f, of_force::b))));
    } else if (force.kind == WalkForceKind::angle) {
      const Turned turned = turnedHinge(f, own, parent);
      const double F = law.force(turned.angle.before, turned.angle.after, h);
      springs.torque += (force.bodyIsSecond ? h * F : -h * F) * turned.gradient;
      const Mat3 K = (-h * law.slope(h) * turned.gradient) * turned.atEnd.transpose();
      springs.byBody += K, springs.byParent -= K;
    }
  });
  return springs;
}

template <WalkKind kind>
POLHODE_KERNEL inline typename TreeWalk<kind>::SprungSlide TreeWalk<kind>::sprungSlide(int i, double h,
                                                                                       const Placed& own,
                                                                                       const Placed& parent,
                                                                                       const Vec3& normal) const {
  SprungSlide springs;
  const Vec3 axis = number3(i, of_link::axis), end = parent.end * axis;
  visitForces(i, [&](int f, const WalkForce& force) {
    const AlongCoordinate law = lawOf(f);
    if (force.kind == WalkForceKind::across) {
      const WalkLine line = lineAcross(i, f, own, parent);
      const double F = law.force(line.before, line.after, h);
      const Mat3 K = h * line.stiffness(F, law.slope(h));
      springs.force += h * F * line.gradient;
      springs.bySlide += K * end;
      springs.alongByTurn += line.end.cross(Vec3(K.transpose() * normal));
    } else if (force.kind == WalkForceKind::displacement) {
      const double s0 = body(i, of_body::slid), s1 = s0 + body(i, of_body::slides), F = law.force(s0, s1, h);
      const Vec3 mean = parent.mean * axis;
      springs.force += h * F * mean;
      springs.bySlide -= h * law.slope(h) * mean;
      springs.alongByTurn -= 0.5 * h * F * end.cross(normal);
    }
  });
  return springs;
}

/// Eliminates how far a body goes along its slide.
template <WalkKind kind>
POLHODE_KERNEL inline typename TreeWalk<kind>::Handed TreeWalk<kind>::eliminateSlide(
    int i, double h, const Beyond& beyond, const Vec3& force, const Vec3& asked, const Placed& own,
    const Placed& parent) const {
  const Vec3 axis = parent.end * number3(i, of_link::axis);
  const Vec3 a0 = number3(i, of_link::normal), a1 = number3(i, of_link::normal + 3);
  const Vec3 mean0 = parent.mean * a0, mean1 = parent.mean * a1, normal = mean0.cross(mean1);
  const SprungSlide springs = sprungSlide(i, h, own, parent, normal);
  const Vec3 left = force - springs.force;  // to the slide itself
  const Articulated<double>& M = beyond.matrix;
  const Vec3 forceBySlide = M.xx * axis, torqueBySlide = M.tx * axis + 0.5 * axis.cross(force);
  const double scale = 1.0 / normal.dot(forceBySlide + springs.bySlide);
  const Vec3 byNormal = 0.5 * (Vec3(parent.end * a0).cross(Vec3(mean1.cross(left))) +
                               Vec3(parent.end * a1).cross(Vec3(left.cross(mean0))));
  const double slides = -scale * normal.dot(left - beyond.onPlace);
  const Vec3 placeRow = scale * (M.xx.transpose() * normal);
  const Vec3 turnRow = scale * (M.xt.transpose() * normal + byNormal + springs.alongByTurn);

  Handed handed;
  handed.force = force, handed.torque = asked;
  handed.onPlace = beyond.onPlace - slides * forceBySlide;
  handed.onTurn = beyond.onTurn - slides * torqueBySlide;
  handed.matrix.xx = M.xx - forceBySlide * placeRow.transpose();
  handed.matrix.xt = M.xt - forceBySlide * turnRow.transpose();
  handed.matrix.tx = M.tx - torqueBySlide * placeRow.transpose();
  handed.matrix.tt = M.tt - torqueBySlide * turnRow.transpose();
  eliminated(i, 0) = slides;
  for (int k = 0; k < 3; ++k) eliminated(i, 3 + k) = placeRow[k], eliminated(i, 6 + k) = turnRow[k];
  return handed;
}

/// The work over a step of all that has no potential.
template <WalkKind kind>
POLHODE_KERNEL inline double TreeWalk<kind>::workOver(double h) const {
  double sum = 0.0;
  for (int i = 0; i < memory_.links; ++i) {
    const Vec3 c = body3(i, of_body::turn), moved = 0.5 * h * (body3(i, of_body::push) + 2.0 * velocity(i));
    const Placed own = placed(i), parent = placedParent(i);
    if (kind.loads && memory_.loads) sum += load3(i, 0).dot(moved) + load3(i, 3).dot(c);
    visitForces(i, [&](int f, const WalkForce& force) {
      switch (force.kind) {
        case WalkForceKind::toGround: {
          const WalkLine line = lineToGround(i, f, h, own);
          sum += lawOf(f).work(line.before, line.after, h);
          break;
        }
        case WalkForceKind::across: {
          const WalkLine line = lineAcross(i, f, own, parent);
          sum += lawOf(f).work(line.before, line.after, h);
          break;
        }
        case WalkForceKind::angle: {
          const WalkAngle angle = turnedHinge(f, own, parent).angle;
          sum += lawOf(f).work(angle.before, angle.after, h);
          break;
        }
        case WalkForceKind::displacement: {
          const double s0 = body(i, of_body::slid);
          sum += lawOf(f).work(s0, s0 + body(i, of_body::slides), h);
          break;
        }
        default: {
          const Outside one = load(f, force, own);
          sum += one.force.dot(moved) + one.torque.dot(c);
        }
      }
    });
  }
  return sum;
}

/// Of the springs of a body, where it is now.
template <WalkKind kind>
POLHODE_KERNEL inline double TreeWalk<kind>::potentialOfForces(int i) const {
  double sum = 0.0;
  Placed own, parent;  // which do not move
  own.end = own.mean = directors(i);
  parent.end.setIdentity();
  if (const int p = memory_.link[i].parent; p >= 0) parent.end = directors(p);
  parent.mean = parent.end;
  visitForces(i, [&](int f, const WalkForce& force) {
    const AlongCoordinate law{forceNumber(f, of_force::stiffness), forceNumber(f, of_force::rest), 0.0, 0.0};
    if (force.kind == WalkForceKind::toGround)
      sum += law.potential(
          (body3(i, of_body::centre) - forceNumber3(f, of_force::b) + Vec3(own.end * forceNumber3(f, of_force::a)))
              .norm());
    else if (force.kind == WalkForceKind::across)
      sum += law.potential(lineAcross(i, f, own, parent).before);
    else if (force.kind == WalkForceKind::angle)
      sum += law.potential(turnedHinge(f, own, parent).angle.before);
    else if (force.kind == WalkForceKind::displacement)
      sum += law.potential(body(i, of_body::slid));
  });
  return sum;
}

}  // namespace polhode::ensemble
