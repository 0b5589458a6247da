#pragma once

#include "math/quaternion.h"
#include "system/mechanism.h"

#include <vector>

/// One body of a spanning tree with the joint to its parent: what tree_dynamics.h does at each.
///
/// All vectors are in space, a body's quantities at its centre of mass. The joint's point P lies at `parentArm` from the
/// parent's centre and at `arm` from the body's own. With accelerations (a, alpha) of the body and (a_p, alpha_p) of the
/// parent the joint says
///
///     a + alpha x arm = a_p + alpha_p x parentArm + S_lin nu' + k_lin
///               alpha = alpha_p + S_rot nu' + k_rot                      (a ball joint: alpha = nu')
///
/// and the body with everything that hangs on it answers as an articulated body (Featherstone 1983),
///
///     force = A a + B alpha + f,    torque = B^T a + C alpha + c.
///
/// The rates nu of a ball joint are the body's own angular velocity, of a free body its velocity and angular velocity,
/// of others those of JointType::motions.
namespace polhode {

enum class TreeJointKind { free, ball, hinge, other };

struct ArticulatedBody {
  // What does not change.
  int body = 0;     // in the mechanism
  int parent = -1;  // a node, -1 for the ground
  int joint = -1;   // in the mechanism, -1 for a free body
  TreeJointKind kind = TreeJointKind::free;
  int firstRate = 0, rates = 6;
  int space = -1;            // its TreeJointSpace, of neither ball nor hinge
  bool reversed = false;     // whether the parent is the joint's second body
  bool pointSlides = false;  // whether the joint's point moves along the first body
  double mass = 1.0;
  Vector3 inertia = Vector3::Ones();
  Vector3 pointInBody = Vector3::Zero(), pointInParent = Vector3::Zero();
  Vector3 hingeAxis = Vector3::UnitZ();  // in the joint's first body

  // Where it is.
  Vector3 x = Vector3::Zero();
  Matrix3 D = Matrix3::Identity();
  Vector3 arm = Vector3::Zero(), parentArm = Vector3::Zero();
  Vector3 axis = Vector3::UnitZ();  // of a hinge, with the sign that turns the body against its parent

  // How it moves.
  Vector3 v = Vector3::Zero(), w = Vector3::Zero();  // velocity and angular velocity
  Vector3 kLinear = Vector3::Zero(), kTurning = Vector3::Zero();
  Vector3 a = Vector3::Zero(), alpha = Vector3::Zero();

  // The articulated body at its centre of mass.
  Matrix3 A = Matrix3::Zero(), B = Matrix3::Zero(), C = Matrix3::Zero();
  Vector3 f = Vector3::Zero(), c = Vector3::Zero();

  // The joint's pivot, left behind by reduceInertia for loads, velocities and accelerations.
  Matrix3 pivot = Matrix3::Zero();                                // ball: C' at P as L diag(d) L^T (pivot.h)
  Matrix3 response = Matrix3::Zero();                             // ball: C'^-1 B'^T
  Vector3 onForce = Vector3::Zero(), onTorque = Vector3::Zero();  // hinge: U = (B' axis, C' axis)
  double inversePivot = 1.0;                                      // hinge: 1/(axis . C' axis)

  MovingPlacement motion() const { return {{x, D}, {v, hat(w) * D}}; }
};

/// What a joint of another kind keeps, and a free body: up to six rates.
struct TreeJointSpace {
  using Columns = Eigen::Matrix<double, 6, Eigen::Dynamic, Eigen::ColMajor, 6, 6>;
  using Square = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::ColMajor, 6, 6>;
  using Rates = Eigen::Matrix<double, Eigen::Dynamic, 1, Eigen::ColMajor, 6, 1>;

  Columns S, U;  // rates to relative velocity at P; IA' S
  Square pivot;  // S^T IA' S as L diag(d) L^T
};

/// The bodies of a mechanism's spanning tree in the order root to leaf, placed as it stands.
std::vector<ArticulatedBody> articulatedBodies(const Mechanism& mechanism);

/// What belongs to a node among the rates of all.
inline Eigen::Map<const TreeJointSpace::Rates> ratesAt(const double* nu, const ArticulatedBody& node) {
  return {nu + node.firstRate, node.rates};
}
inline Eigen::Map<TreeJointSpace::Rates> ratesAt(double* nu, const ArticulatedBody& node) {
  return {nu + node.firstRate, node.rates};
}

}  // namespace polhode
