#pragma once

#include "system/articulated_body.h"
#include "system/pivot.h"

/// The inertia of a body with all that hangs on it on its way through the joint to the parent: with IA' the blocks A, B, C
/// at the joint's point P, S the joint's motions and U = IA' S, the parent feels
///
///     IA' - U (S^T U)^-1 U^T.                                                                        Featherstone 1983
///
/// Here for tree_dynamics.cpp to inline.
namespace polhode {

/// A hat(b).
inline Matrix3 timesHat(const Matrix3& A, const Vector3& b) {
  Matrix3 m;
  m.col(0) = A.col(1) * b[2] - A.col(2) * b[1];
  m.col(1) = A.col(2) * b[0] - A.col(0) * b[2];
  m.col(2) = A.col(0) * b[1] - A.col(1) * b[0];
  return m;
}

/// hat(b) A.
inline Matrix3 hatTimes(const Vector3& b, const Matrix3& A) {
  Matrix3 m;
  m.row(0) = b[1] * A.row(2) - b[2] * A.row(1);
  m.row(1) = b[2] * A.row(0) - b[0] * A.row(2);
  m.row(2) = b[0] * A.row(1) - b[1] * A.row(0);
  return m;
}

/// The blocks B and C of an articulated inertia at P instead of the centre of mass, `arm` away.
inline void atJoint(const ArticulatedBody& node, Matrix3& B, Matrix3& C) {
  B = node.B + timesHat(node.A, node.arm);
  C = node.C - hatTimes(node.arm, B) - hatTimes(node.arm, node.B).transpose();
}

/// Adds an inertia at P to the parent, whose centre of mass lies `arm` before it.
inline void addInertia(ArticulatedBody& parent, const Vector3& arm, const Matrix3& A, const Matrix3& B,
                       const Matrix3& C) {
  const Matrix3 shifted = B - timesHat(A, arm);
  parent.A += A;
  parent.B += shifted;
  parent.C += C + hatTimes(arm, shifted) + hatTimes(arm, B).transpose();
}

// One function for each kind of joint; each says whether inertia resists all its rates.

inline bool reduceBall(ArticulatedBody& node, ArticulatedBody& parent) {
  Matrix3 B, C;
  atJoint(node, B, C);
  node.pivot = C;
  const bool resists = pivot::factorise(node.pivot);
  for (int k = 0; k < 3; ++k) {
    Vector3 row = B.row(k).transpose();
    pivot::solve(node.pivot, row);
    node.response.col(k) = row;
  }
  // nothing is left of B and C
  const Matrix3 A = node.A - B.lazyProduct(node.response);
  const Matrix3 shifted = -timesHat(A, node.parentArm);
  parent.A += A;
  parent.B += shifted;
  parent.C += hatTimes(node.parentArm, shifted);
  return resists;
}

inline bool reduceHinge(ArticulatedBody& node, ArticulatedBody& parent) {
  Matrix3 B, C;
  atJoint(node, B, C);
  node.onForce = B * node.axis;
  node.onTorque = C * node.axis;
  const double d = node.axis.dot(node.onTorque);
  node.inversePivot = 1.0 / d;
  const Vector3 onForce = node.inversePivot * node.onForce, onTorque = node.inversePivot * node.onTorque;
  addInertia(parent, node.parentArm, node.A - node.onForce * onForce.transpose(),
             B - node.onForce * onTorque.transpose(), C - node.onTorque * onTorque.transpose());
  return d > 1e-13 * C.trace();
}

/// Of a free body the parent feels nothing.
inline bool reduceSpace(const ArticulatedBody& node, TreeJointSpace& space, ArticulatedBody& parent) {
  Matrix3 B, C;
  atJoint(node, B, C);
  Eigen::Matrix<double, 6, 6> inertia;
  inertia << node.A, B, B.transpose(), C;
  space.U.noalias() = inertia * space.S;
  space.pivot.noalias() = space.S.transpose() * space.U;
  const bool resists = pivot::factorise(space.pivot);
  if (node.kind == TreeJointKind::free) return resists;
  TreeJointSpace::Columns scaled = space.U;  // U L^-T diag(d)^-1/2
  for (int r = 0; r < 6; ++r) {
    TreeJointSpace::Rates row = scaled.row(r).transpose();
    pivot::solveRoot(space.pivot, row);
    scaled.row(r) = row.transpose();
  }
  inertia.noalias() -= scaled * scaled.transpose();
  addInertia(parent, node.parentArm, inertia.topLeftCorner<3, 3>(), inertia.topRightCorner<3, 3>(),
             inertia.bottomRightCorner<3, 3>());
  return resists;
}

}  // namespace polhode
