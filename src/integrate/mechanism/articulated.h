#pragma once

#include "math/cross.h"

/// Articulated bodies in the director scheme: how a body and all that hangs on it answer to its motion, and how a ball
/// joint or a hinge hands that on to the parent. The equations of a step mix two placements: motions turn the directors
/// at the end of the step, forces pull at the mean ones ("left"); so nothing here is symmetric.
namespace polhode {

/// Force and torque by place and turn.
struct Articulated {
  Matrix3 xx = Matrix3::Zero(), xt = Matrix3::Zero(), tx = Matrix3::Zero(), tt = Matrix3::Zero();

  /// The same by the motion of a point at `a` and the turn.
  Articulated seenFrom(const Vector3& a, const Vector3& aLeft) const;

  /// Adds what a point at `b` of the body carries: a ball joint, and anything.
  void addAtPoint(const Matrix3& force, const Vector3& b, const Vector3& bLeft);
  void addAtPoint(const Articulated& other, const Vector3& b, const Vector3& bLeft);
};

/// The joint's point seen from the body (a) and from its parent (b).
struct Levers {
  Vector3 a, aLeft, b, bLeft;
};

/// What a body's residuals leave for its parent.
struct Remainder {
  Vector3 force, torque;
};

/// A ball joint: the turn of the body is eliminated.
class BallElimination {
 public:
  Levers levers;

  /// What is left of the body's matrix, seen from the joint's point, for that point.
  Matrix3 factorise(const Articulated& joint);
  Vector3 eliminate(const Vector3& force, const Vector3& torque);
  Vector3 turn(const Vector3& pointMotion) const { return ownTurn_ - byPlace_ * pointMotion; }

 private:
  Matrix3 inverse_, xt_, byPlace_;
  Vector3 ownTurn_;
};

/// An axis that one of two bodies carries and two normals of it that the other does: in the bodies, or in space.
struct HingeAxes {
  Vector3 axis, normal[2];
  bool bodyCarriesAxis;  // or the parent

  const Vector3& ofBody(int k) const { return bodyCarriesAxis ? axis : normal[k]; }
  const Vector3& ofParent(int k) const { return bodyCarriesAxis ? normal[k] : axis; }
  Vector3 torque(int k) const { return ofBody(k).cross(ofParent(k)); }
};

/// The vectors s_i, orthogonal to the axis, with s_i . torque_k = 1 if i = k and 0 otherwise.
struct HingeDuals {
  Vector3 s[2];
  explicit HingeDuals(const HingeAxes& axes);
};

/// A hinge: the turn against the parent about the axis is eliminated.
class HingeElimination {
 public:
  Levers levers;

  /// `torque` is what the body's own residual asks of the hinge.
  Articulated factorise(const Articulated& joint, const HingeAxes& end, const HingeAxes& mean, const Vector3& torque);
  Remainder eliminate(const Vector3& force, const Vector3& torque, const HingeAxes& end);
  Vector3 turn(const Vector3& pointMotion, const Vector3& parentTurn) const;

 private:
  Vector3 axis_, leftRow_, ownRow_, placeRow_, turnRow_;
  Vector3 closing_[2];  // turns that close the gaps
  Matrix3 xt_, tt_;
  Vector3 ownTurn_;
};

inline Articulated Articulated::seenFrom(const Vector3& a, const Vector3& aLeft) const {
  Articulated r;
  r.xx = xx;
  r.xt = xt + crossed(xx, a);
  r.tt = tt + crossed(tx, a) - crossed(aLeft, r.xt);
  r.tx = tx - crossed(aLeft, xx);
  return r;
}

inline void Articulated::addAtPoint(const Matrix3& force, const Vector3& b, const Vector3& bLeft) {
  const Matrix3 byTurn = crossed(force, b);
  xx += force;
  xt -= byTurn;
  tx += crossed(bLeft, force);
  tt -= crossed(bLeft, byTurn);
}

inline void Articulated::addAtPoint(const Articulated& other, const Vector3& b, const Vector3& bLeft) {
  const Matrix3 byTurn = other.xt - crossed(other.xx, b);
  xx += other.xx;
  xt += byTurn;
  tx += other.tx + crossed(bLeft, other.xx);
  tt += other.tt - crossed(other.tx, b) + crossed(bLeft, byTurn);
}

inline Matrix3 BallElimination::factorise(const Articulated& joint) {
  const Vector3 c0 = joint.tt.col(0), c1 = joint.tt.col(1), c2 = joint.tt.col(2);
  const Vector3 c12 = c1.cross(c2);
  const double s = 1.0 / c0.dot(c12);
  inverse_.row(0) = s * c12;
  inverse_.row(1) = s * c2.cross(c0);
  inverse_.row(2) = s * c0.cross(c1);
  byPlace_ = inverse_.lazyProduct(joint.tx);
  xt_ = joint.xt;
  return joint.xx - xt_.lazyProduct(byPlace_);
}

inline Vector3 BallElimination::eliminate(const Vector3& force, const Vector3& torque) {
  ownTurn_ = inverse_ * torque;
  return force - xt_ * ownTurn_;
}

inline HingeDuals::HingeDuals(const HingeAxes& axes) {
  const Vector3 t0 = axes.torque(0), t1 = axes.torque(1), n = t0.cross(t1);
  const double scale = 1.0 / n.squaredNorm();
  s[0] = scale * t1.cross(n);
  s[1] = scale * n.cross(t0);
}

/// With the turn of the body as that of the parent, plus one about the axis n, plus one that closes the gaps, and with
/// the rows of the body added to those of the parent, the hinge's own stiffness cancels but for three vectors.
inline Articulated HingeElimination::factorise(const Articulated& joint, const HingeAxes& end, const HingeAxes& mean,
                                               const Vector3& torque) {
  const HingeDuals endDuals(end), meanDuals(mean);
  for (int k = 0; k < 2; ++k) closing_[k] = -endDuals.s[k];
  axis_ = end.axis;
  const Vector3& left = mean.axis;
  // the hinge's torque on the body, sum_k impulse_k mean.torque(k), by the turn of the body and of the parent
  Vector3 byBody = Vector3::Zero(), leftByBody = Vector3::Zero(), leftByParent = Vector3::Zero();
  for (int k = 0; k < 2; ++k) {
    const double half = -0.5 * meanDuals.s[k].dot(torque);
    byBody += half * mean.ofParent(k).cross(end.ofBody(k).cross(axis_));
    leftByBody += half * end.ofBody(k).cross(mean.ofParent(k).cross(left));
    leftByParent += half * end.ofParent(k).cross(mean.ofBody(k).cross(left));
  }
  const Vector3 byAxis = joint.tt * axis_, forceByAxis = joint.xt * axis_;
  const double scale = 1.0 / left.dot(byAxis - byBody);
  leftRow_ = scale * left;
  ownRow_ = joint.tt.transpose() * leftRow_ - scale * leftByBody;
  turnRow_ = ownRow_ + scale * leftByParent;
  placeRow_ = joint.tx.transpose() * leftRow_;
  xt_ = joint.xt;
  tt_ = joint.tt;

  Articulated r;
  r.xx = joint.xx - forceByAxis * placeRow_.transpose();
  r.xt = joint.xt - forceByAxis * turnRow_.transpose();
  r.tx = joint.tx - byAxis * placeRow_.transpose();
  r.tt = joint.tt - byAxis * turnRow_.transpose();
  return r;
}

inline Remainder HingeElimination::eliminate(const Vector3& force, const Vector3& torque, const HingeAxes& end) {
  const Vector3 closing = end.axis.dot(end.normal[0]) * closing_[0] + end.axis.dot(end.normal[1]) * closing_[1];
  ownTurn_ = closing + (leftRow_.dot(torque) - ownRow_.dot(closing)) * axis_;
  return {force - xt_ * ownTurn_, torque - tt_ * ownTurn_};
}

inline Vector3 HingeElimination::turn(const Vector3& pointMotion, const Vector3& parentTurn) const {
  return parentTurn + ownTurn_ - (placeRow_.dot(pointMotion) + turnRow_.dot(parentTurn)) * axis_;
}

}  // namespace polhode
