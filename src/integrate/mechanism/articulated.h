#pragma once

#include "math/cross.h"

/// Articulated bodies in the director scheme: how a body and all that hangs on it answer to its motion, and how a ball
/// joint or a hinge hands that on to the parent. The equations of a step mix two placements: motions turn the directors
/// at the end of the step, forces pull at the mean ones ("left"); so nothing here is symmetric.
namespace polhode {

/// Force and torque by place and turn.
template <class T>
struct Articulated {
  Matrix33<T> xx = Matrix33<T>::Zero(), xt = Matrix33<T>::Zero(), tx = Matrix33<T>::Zero(), tt = Matrix33<T>::Zero();

  /// The same by the motion of a point at `a` and the turn.
  POLHODE_KERNEL Articulated<T> seenFrom(const Vector<T, 3>& a, const Vector<T, 3>& aLeft) const;

  /// What a point at `b` of a body carries, by the motion of the body: a ball joint, and anything.
  POLHODE_KERNEL static Articulated<T> atPoint(const Matrix33<T>& force, const Vector<T, 3>& b,
                                               const Vector<T, 3>& bLeft);
  POLHODE_KERNEL static Articulated<T> atPoint(const Articulated<T>& other, const Vector<T, 3>& b,
                                               const Vector<T, 3>& bLeft);

  template <class Carried>
  POLHODE_KERNEL void addAtPoint(const Carried& carried, const Vector<T, 3>& b, const Vector<T, 3>& bLeft) {
    *this += atPoint(carried, b, bLeft);
  }

  POLHODE_KERNEL Articulated<T>& operator+=(const Articulated<T>& other) {
    xx += other.xx, xt += other.xt, tx += other.tx, tt += other.tt;
    return *this;
  }
};

/// The joint's point seen from the body (a) and from its parent (b).
template <class T>
struct Levers {
  Vector<T, 3> a, aLeft, b, bLeft;
};

/// What a body's residuals leave for its parent.
template <class T>
struct Remainder {
  Vector<T, 3> force, torque;
};

/// A ball joint: the turn of the body is eliminated.
template <class T>
class BallElimination {
 public:
  Levers<T> levers;

  /// What is left of the body's matrix, seen from the joint's point, for that point.
  POLHODE_KERNEL Matrix33<T> factorise(const Articulated<T>& joint);
  POLHODE_KERNEL Vector<T, 3> eliminate(const Vector<T, 3>& force, const Vector<T, 3>& torque);
  POLHODE_KERNEL Vector<T, 3> turn(const Vector<T, 3>& pointMotion) const { return ownTurn_ - byPlace_ * pointMotion; }

  /// What `turn` needs.
  POLHODE_KERNEL const Matrix33<T>& byPlace() const { return byPlace_; }
  POLHODE_KERNEL const Vector<T, 3>& ownTurn() const { return ownTurn_; }

  /// Of the matrix by the turn.
  POLHODE_KERNEL const Matrix33<T>& inverse() const { return inverse_; }
  /// The force by the turn.
  const Matrix33<T>& onPlace() const { return xt_; }

 private:
  Matrix33<T> inverse_, xt_, byPlace_;
  Vector<T, 3> ownTurn_;
};

/// What springs and motors across a joint pull at the body with, about the joint's point and times the step; and by how much less
/// that becomes when the body turns, and when its parent does.
template <class T>
struct SprungJoint {
  Vector<T, 3> torque = Vector<T, 3>::Zero();
  Matrix33<T> byBody = Matrix33<T>::Zero(), byParent = Matrix33<T>::Zero();
};

/// An axis that one of two bodies carries and two normals of it that the other does: in the bodies, or in space.
template <class T>
struct HingeAxes {
  Vector<T, 3> axis, normal[2];
  bool bodyCarriesAxis;  // or the parent

  POLHODE_KERNEL const Vector<T, 3>& ofBody(int k) const { return bodyCarriesAxis ? axis : normal[k]; }
  POLHODE_KERNEL const Vector<T, 3>& ofParent(int k) const { return bodyCarriesAxis ? normal[k] : axis; }
  POLHODE_KERNEL Vector<T, 3> torque(int k) const { return ofBody(k).cross(ofParent(k)); }
};

/// The vectors s_i, orthogonal to the axis, with s_i . torque_k = 1 if i = k and 0 otherwise.
template <class T>
struct HingeDuals {
  Vector<T, 3> s[2];
  POLHODE_KERNEL explicit HingeDuals(const HingeAxes<T>& axes);
};

/// A hinge: the turn against the parent about the axis is eliminated.
template <class T>
class HingeElimination {
 public:
  Levers<T> levers;

  /// `torque` is what is asked of the hinge itself: of the body's residual what `springs` across it leave.
  POLHODE_KERNEL Articulated<T> factorise(const Articulated<T>& joint, const HingeAxes<T>& end,
                                          const HingeAxes<T>& mean, const Vector<T, 3>& torque,
                                          const SprungJoint<T>* springs = nullptr);
  POLHODE_KERNEL Remainder<T> eliminate(const Vector<T, 3>& force, const Vector<T, 3>& torque, const HingeAxes<T>& end);
  POLHODE_KERNEL Vector<T, 3> turn(const Vector<T, 3>& pointMotion, const Vector<T, 3>& parentTurn) const;

  /// What `turn` needs, beside the axis at the end of the step.
  POLHODE_KERNEL const Vector<T, 3>& ownTurn() const { return ownTurn_; }
  POLHODE_KERNEL const Vector<T, 3>& placeRow() const { return placeRow_; }
  POLHODE_KERNEL const Vector<T, 3>& turnRow() const { return turnRow_; }

  /// The axis, what a torque turns about it, and force and torque by the turn.
  const Vector<T, 3>& axis() const { return axis_; }
  const Vector<T, 3>& leftRow() const { return leftRow_; }
  const Matrix33<T>& onPlace() const { return xt_; }
  const Matrix33<T>& onTurn() const { return tt_; }

 private:
  Vector<T, 3> axis_, leftRow_, ownRow_, placeRow_, turnRow_;
  Vector<T, 3> closing_[2];  // turns that close the gaps
  Matrix33<T> xt_, tt_;
  Vector<T, 3> ownTurn_;
};

template <class T>
POLHODE_KERNEL inline Articulated<T> Articulated<T>::seenFrom(const Vector<T, 3>& a, const Vector<T, 3>& aLeft) const {
  Articulated<T> r;
  r.xx = xx;
  r.xt = xt + crossed(xx, a);
  r.tt = tt + crossed(tx, a) - crossed(aLeft, r.xt);
  r.tx = tx - crossed(aLeft, xx);
  return r;
}

template <class T>
POLHODE_KERNEL inline Articulated<T> Articulated<T>::atPoint(const Matrix33<T>& force, const Vector<T, 3>& b,
                                                             const Vector<T, 3>& bLeft) {
  const Matrix33<T> byTurn = crossed(force, b);
  return {force, -byTurn, crossed(bLeft, force), -crossed(bLeft, byTurn)};
}

template <class T>
POLHODE_KERNEL inline Articulated<T> Articulated<T>::atPoint(const Articulated<T>& other, const Vector<T, 3>& b,
                                                             const Vector<T, 3>& bLeft) {
  const Matrix33<T> byTurn = other.xt - crossed(other.xx, b);
  return {other.xx, byTurn, other.tx + crossed(bLeft, other.xx),
          other.tt - crossed(other.tx, b) + crossed(bLeft, byTurn)};
}

template <class T>
POLHODE_KERNEL inline Matrix33<T> BallElimination<T>::factorise(const Articulated<T>& joint) {
  const Vector<T, 3> c0 = joint.tt.col(0), c1 = joint.tt.col(1), c2 = joint.tt.col(2);
  const Vector<T, 3> c12 = c1.cross(c2);
  const T s = 1.0 / c0.dot(c12);
  inverse_.row(0) = s * c12;
  inverse_.row(1) = s * c2.cross(c0);
  inverse_.row(2) = s * c0.cross(c1);
  byPlace_ = inverse_.lazyProduct(joint.tx);
  xt_ = joint.xt;
  return joint.xx - xt_.lazyProduct(byPlace_);
}

template <class T>
POLHODE_KERNEL inline Vector<T, 3> BallElimination<T>::eliminate(const Vector<T, 3>& force,
                                                                 const Vector<T, 3>& torque) {
  ownTurn_ = inverse_ * torque;
  return force - xt_ * ownTurn_;
}

template <class T>
POLHODE_KERNEL inline HingeDuals<T>::HingeDuals(const HingeAxes<T>& axes) {
  const Vector<T, 3> t0 = axes.torque(0), t1 = axes.torque(1), n = t0.cross(t1);
  const T scale = 1.0 / n.squaredNorm();
  s[0] = scale * t1.cross(n);
  s[1] = scale * n.cross(t0);
}

/// With the turn of the body as that of the parent, plus one about the axis n, plus one that closes the gaps, and with
/// the rows of the body added to those of the parent, the hinge's own stiffness cancels but for three vectors.
template <class T>
POLHODE_KERNEL inline Articulated<T> HingeElimination<T>::factorise(const Articulated<T>& joint,
                                                                    const HingeAxes<T>& end, const HingeAxes<T>& mean,
                                                                    const Vector<T, 3>& torque,
                                                                    const SprungJoint<T>* springs) {
  const HingeDuals<T> endDuals(end), meanDuals(mean);
  for (int k = 0; k < 2; ++k) closing_[k] = -endDuals.s[k];
  axis_ = end.axis;
  const Vector<T, 3>& left = mean.axis;
  // the hinge's torque on the body, sum_k impulse_k mean.torque(k), by the turn of the body and of the parent
  Vector<T, 3> byBody = Vector<T, 3>::Zero(), leftByBody = Vector<T, 3>::Zero(), leftByParent = Vector<T, 3>::Zero();
  for (int k = 0; k < 2; ++k) {
    const T half = -0.5 * meanDuals.s[k].dot(torque);
    byBody += half * mean.ofParent(k).cross(end.ofBody(k).cross(axis_));
    leftByBody += half * end.ofBody(k).cross(mean.ofParent(k).cross(left));
    leftByParent += half * end.ofParent(k).cross(mean.ofBody(k).cross(left));
  }
  const Vector<T, 3> byAxis = joint.tt * axis_, forceByAxis = joint.xt * axis_;
  T resistance = left.dot(byAxis - byBody);
  if (springs) resistance += left.dot(springs->byBody * axis_);
  const T scale = 1.0 / resistance;
  leftRow_ = scale * left;
  ownRow_ = joint.tt.transpose() * leftRow_ - scale * leftByBody;
  if (springs) ownRow_ += springs->byBody.transpose() * leftRow_;
  turnRow_ = ownRow_ + scale * leftByParent;
  if (springs) turnRow_ += springs->byParent.transpose() * leftRow_;
  placeRow_ = joint.tx.transpose() * leftRow_;
  xt_ = joint.xt;
  tt_ = joint.tt;

  Articulated<T> r;
  r.xx = joint.xx - forceByAxis * placeRow_.transpose();
  r.xt = joint.xt - forceByAxis * turnRow_.transpose();
  r.tx = joint.tx - byAxis * placeRow_.transpose();
  r.tt = joint.tt - byAxis * turnRow_.transpose();
  return r;
}

template <class T>
POLHODE_KERNEL inline Remainder<T> HingeElimination<T>::eliminate(const Vector<T, 3>& force, const Vector<T, 3>& torque,
                                                                  const HingeAxes<T>& end) {
  const Vector<T, 3> closing = end.axis.dot(end.normal[0]) * closing_[0] + end.axis.dot(end.normal[1]) * closing_[1];
  ownTurn_ = closing + (leftRow_.dot(torque) - ownRow_.dot(closing)) * axis_;
  return {force - xt_ * ownTurn_, torque - tt_ * ownTurn_};
}

template <class T>
POLHODE_KERNEL inline Vector<T, 3> HingeElimination<T>::turn(const Vector<T, 3>& pointMotion,
                                                             const Vector<T, 3>& parentTurn) const {
  return parentTurn + ownTurn_ - (placeRow_.dot(pointMotion) + turnRow_.dot(parentTurn)) * axis_;
}

}  // namespace polhode
