#include "system/tree_dynamics.h"

#include "articulated_inertia.h"
#include "polhode/error.h"
#include "system/idle_turns.h"
#include "system/pivot.h"

#include <algorithm>

#include <fmt/format.h>

namespace polhode {

namespace {

using Rates = TreeJointSpace::Rates;

/// D diag(J) D^T.
inline Matrix3 turned(const Matrix3& D, const Vector3& J) {
  const Matrix3 DJ = D * J.asDiagonal();
  return DJ.lazyProduct(D.transpose());
}

/// Adds a load at P to the parent, whose centre of mass lies `arm` before it.
inline void addLoad(ArticulatedBody& parent, const Vector3& arm, const Vector3& force, const Vector3& torque) {
  parent.f += force;
  parent.c += torque + arm.cross(force);
}

}  // namespace

TreeDynamics::TreeDynamics(std::shared_ptr<const Mechanism> mechanism)
    : mechanism_(std::move(mechanism)), nodes_(articulatedBodies(*mechanism_)), nodeOfBody_(nodes_.size()) {
  for (std::size_t i = 0; i < nodes_.size(); ++i) {
    const ArticulatedBody& node = nodes_[i];
    nodeOfBody_[static_cast<std::size_t>(node.body)] = static_cast<int>(i);
    rates_ += node.rates;
    if (node.space >= 0)
      spaces_.push_back({TreeJointSpace::Columns::Identity(6, node.rates), {}, {}});  // of a free body
  }
  u_.resize(rates_);

  const std::vector<Matrix3> idle = idleTurnInertia(*mechanism_);
  if (std::any_of(idle.begin(), idle.end(), [](const Matrix3& m) { return !m.isZero(0.0); }))
    for (const ArticulatedBody& node : nodes_) idle_.push_back(idle[static_cast<std::size_t>(node.body)]);
}

// ---- where the joints are --------------------------------------------------------------------------------------------

void TreeDynamics::placeJoint(ArticulatedBody& node) {
  const ArticulatedBody& parent = parentOf(node);
  node.A = node.mass * Matrix3::Identity();
  node.B.setZero();
  node.C = turned(node.D, node.inertia);
  if (!idle_.empty()) node.C += node.D * idle_[static_cast<std::size_t>(&node - nodes_.data())] * node.D.transpose();

  node.arm = node.D * node.pointInBody;
  node.parentArm = parent.D * node.pointInParent;
  if (node.kind == TreeJointKind::ball) return;
  if (node.kind == TreeJointKind::hinge) {
    if (node.reversed)
      node.axis = -(node.D * node.hingeAxis);
    else
      node.axis = parent.D * node.hingeAxis;
    return;
  }
  if (node.kind == TreeJointKind::free) return;
  // P is the joint's point in the second body.
  if (node.pointSlides && node.reversed) node.arm = parent.x + node.parentArm - node.x;
  if (node.pointSlides && !node.reversed) node.parentArm = node.x + node.arm - parent.x;
  placeMotions(node);
}

void TreeDynamics::placeMotions(ArticulatedBody& node) {
  const MechanismJoint& joint = mechanism_->joints()[static_cast<std::size_t>(node.joint)];
  const ArticulatedBody& parent = parentOf(node);
  const Matrix3 &first = node.reversed ? node.D : parent.D, &second = node.reversed ? parent.D : node.D;
  TreeJointSpace& space = spaceOf(node);
  space.S.setZero();
  for (int k = 0; k < node.rates; ++k) {
    const JointMotion& motion = joint.type->motions[static_cast<std::size_t>(k)];
    const Vector3 axis = motion.fixedInSecond ? Vector3(second * joint.geometry.second.axes.col(motion.axis))
                                              : Vector3(first * joint.geometry.first.axes.col(motion.axis));
    space.S.col(k).segment<3>(motion.kind == MotionKind::translation ? 0 : 3) = node.reversed ? Vector3(-axis) : axis;
  }
}

void TreeDynamics::placeJoints() {
  for (ArticulatedBody& node : nodes_) placeJoint(node);
}

// ---- inertia, leaf to root -------------------------------------------------------------------------------------------

bool TreeDynamics::reduceInertiaOf(ArticulatedBody& node) {
  ArticulatedBody& parent = parentOf(node);
  if (node.kind == TreeJointKind::ball) return reduceBall(node, parent);
  if (node.kind == TreeJointKind::hinge) return reduceHinge(node, parent);
  return reduceSpace(node, spaceOf(node), parent);
}

void TreeDynamics::reduceInertia(double t) {
  for (std::size_t i = nodes_.size(); i-- > 0;)
    if (!reduceInertiaOf(nodes_[i])) failWithoutInertia(t, nodes_[i]);
}

void TreeDynamics::failWithoutInertia(double t, const ArticulatedBody& node) const {
  const std::string& body = mechanism_->bodies()[static_cast<std::size_t>(node.body)].name;
  if (!node.x.allFinite() || !node.D.allFinite())
    throw SimulationError(t, fmt::format("at t = {} body '{}' has left the range of numbers; look at forces that grow "
                                         "without bound or are not defined where it has come",
                                         t, body));
  const std::string joint =
      node.joint < 0 ? "freely" : "at joint '" + mechanism_->joints()[static_cast<std::size_t>(node.joint)].name + "'";
  throw SimulationError(t, fmt::format("at t = {} body '{}' moves {} without an inertia that resists; give it or the "
                                       "bodies that hang on it mass and inertia",
                                       t, body, joint));
}

// ---- velocities, root to leaf ----------------------------------------------------------------------------------------

void TreeDynamics::setVelocity(ArticulatedBody& node, const double* nu) {
  const ArticulatedBody& parent = parentOf(node);
  const double* rates = nu + node.firstRate;
  const Vector3 parentTurning = parent.w.cross(node.parentArm);
  Vector3 pointVelocity = parent.v + parentTurning;
  node.kTurning.setZero();
  switch (node.kind) {
    case TreeJointKind::ball:
      node.w = Eigen::Map<const Vector3>(rates);
      break;
    case TreeJointKind::hinge:
      node.w = parent.w + node.axis * rates[0];
      node.kTurning = parent.w.cross(node.axis) * rates[0];  // also where the axis is fixed in the body itself
      break;
    case TreeJointKind::free:
    case TreeJointKind::other: {
      const Vector<double, 6> relative = spaceOf(node).S * ratesAt(nu, node);
      pointVelocity += relative.head<3>();
      node.w = parent.w + relative.tail<3>();
      break;
    }
  }
  const Vector3 turning = node.w.cross(node.arm);
  node.v = pointVelocity - turning;
  node.kLinear = parent.w.cross(parentTurning) - node.w.cross(turning);
  if (node.kind == TreeJointKind::other) addMotionBias(node, nu);
}

/// The change of the joint's axes: e' = w x e of the body that they are fixed in, twice that for translations.
void TreeDynamics::addMotionBias(ArticulatedBody& node, const double* nu) {
  const MechanismJoint& joint = mechanism_->joints()[static_cast<std::size_t>(node.joint)];
  const TreeJointSpace& space = spaceOf(node);
  const Vector3& parentTurn = parentOf(node).w;
  const Vector3 &first = node.reversed ? node.w : parentTurn, &second = node.reversed ? parentTurn : node.w;
  for (int k = 0; k < node.rates; ++k) {
    const JointMotion& motion = joint.type->motions[static_cast<std::size_t>(k)];
    const double rate = nu[node.firstRate + k];
    const Vector3& turning = motion.fixedInSecond ? second : first;
    if (motion.kind == MotionKind::translation)
      node.kLinear += 2.0 * rate * turning.cross(space.S.col(k).head<3>());
    else
      node.kTurning += rate * turning.cross(space.S.col(k).tail<3>());
  }
}

void TreeDynamics::setVelocities(const double* nu) {
  for (ArticulatedBody& node : nodes_) setVelocity(node, nu);
}

// ---- loads, leaf to root ---------------------------------------------------------------------------------------------

void TreeDynamics::setWeight(ArticulatedBody& node) const {
  node.f = -node.mass * mechanism_->gravity();
  const Vector3 Omega = node.D.transpose() * node.w;
  node.c = node.w.cross(node.D * node.inertia.cwiseProduct(Omega));
}

void TreeDynamics::addForceElements(double t) {
  for (const auto& force : mechanism_->forces()) {
    const ElementWrenches wrenches = force->wrenches(t, motionOf(force->first()), motionOf(force->second()));
    const auto add = [&](int body, const Wrench& wrench) {
      if (body == groundIndex) return;
      ArticulatedBody& node = nodes_[static_cast<std::size_t>(nodeOf(body))];
      node.f -= wrench.force;
      node.c -= wrench.torque;
    };
    add(force->first(), wrenches.first);
    add(force->second(), wrenches.second);
  }
}

void TreeDynamics::setLoads(double t) {
  for (ArticulatedBody& node : nodes_) setWeight(node);
  addForceElements(t);
}

template <bool WithBias>
void TreeDynamics::reduceLoad(ArticulatedBody& node, double* u) {
  ArticulatedBody& parent = parentOf(node);
  Vector3 force = node.f, torque = node.c;
  if constexpr (WithBias) {
    const Vector3 k = node.kLinear + node.arm.cross(node.kTurning);
    force += node.A * k + node.B * node.kTurning;
    torque += node.B.transpose() * k + node.C * node.kTurning;
  }
  torque -= node.arm.cross(force);
  double* rates = u + node.firstRate;
  switch (node.kind) {
    case TreeJointKind::ball:
      Eigen::Map<Vector3>{rates} = -torque;
      force -= node.response.transpose() * torque;
      addLoad(parent, node.parentArm, force, Vector3::Zero());
      break;
    case TreeJointKind::hinge: {
      rates[0] = -node.axis.dot(torque);
      const double rate = rates[0] * node.inversePivot;
      addLoad(parent, node.parentArm, force + node.onForce * rate, torque + node.onTorque * rate);
      break;
    }
    case TreeJointKind::free:
    case TreeJointKind::other: {
      const TreeJointSpace& space = spaceOf(node);
      Vector<double, 6> load;
      load << force, torque;
      Rates reduced = -(space.S.transpose() * load);
      ratesAt(u, node) = reduced;
      if (node.kind == TreeJointKind::free) break;
      pivot::solve(space.pivot, reduced);
      load += space.U * reduced;
      addLoad(parent, node.parentArm, load.head<3>(), load.tail<3>());
      break;
    }
  }
}

void TreeDynamics::reduceLoadAtRest(ArticulatedBody& node, double* u) {
  reduceLoad<false>(node, u);
}

void TreeDynamics::reduceLoads(double* u) {
  for (std::size_t i = nodes_.size(); i-- > 0;) reduceLoad<true>(nodes_[i], u);
}

// ---- accelerations, root to leaf -------------------------------------------------------------------------------------

void TreeDynamics::setAcceleration(ArticulatedBody& node, const double* u, double* nudot) {
  const ArticulatedBody& parent = parentOf(node);
  Vector3 point = parent.a + parent.alpha.cross(node.parentArm);
  double* rates = nudot + node.firstRate;
  switch (node.kind) {
    case TreeJointKind::ball: {
      Vector3 alpha = Eigen::Map<const Vector3>(u + node.firstRate);
      pivot::solve(node.pivot, alpha);
      node.alpha = alpha - node.response * point;
      Eigen::Map<Vector3>{rates} = node.alpha;
      break;
    }
    case TreeJointKind::hinge:
      rates[0] = node.inversePivot * (u[node.firstRate] - node.onForce.dot(point) - node.onTorque.dot(parent.alpha));
      node.alpha = parent.alpha + node.axis * rates[0] + node.kTurning;
      break;
    case TreeJointKind::free:
    case TreeJointKind::other: {
      const TreeJointSpace& space = spaceOf(node);
      Vector<double, 6> base;
      base << point, parent.alpha;
      Rates rate = ratesAt(u, node) - space.U.transpose() * base;
      pivot::solve(space.pivot, rate);
      ratesAt(nudot, node) = rate;
      base += space.S * rate;
      point = base.head<3>();
      node.alpha = base.tail<3>() + node.kTurning;
      break;
    }
  }
  node.a = point + node.kLinear + node.arm.cross(node.alpha);
}

void TreeDynamics::setAccelerations(const double* u, double* nudot) {
  for (ArticulatedBody& node : nodes_) setAcceleration(node, u, nudot);
}

void TreeDynamics::accelerations(double t, const double* nu, double* nudot) {
  for (ArticulatedBody& node : nodes_) {
    placeJoint(node);
    setVelocity(node, nu);
    setWeight(node);
  }
  addForceElements(t);
  for (std::size_t i = nodes_.size(); i-- > 0;) {
    if (!reduceInertiaOf(nodes_[i])) failWithoutInertia(t, nodes_[i]);
    reduceLoad<true>(nodes_[i], u_.data());
  }
  setAccelerations(u_.data(), nudot);
}

Wrench TreeDynamics::jointWrench(const ArticulatedBody& node) const {
  // After the sweeps f and c hold the loads of the body with all that hangs on it.
  const Vector3 force = node.A * node.a + node.B * node.alpha + node.f;
  const Vector3 torque = node.B.transpose() * node.a + node.C * node.alpha + node.c;
  return {force, torque - node.arm.cross(force)};
}

VectorX TreeDynamics::ratesOf(const MechanismMotion& motion) {
  VectorX nu = VectorX::Zero(rates_);
  for (ArticulatedBody& node : nodes_) {
    const MovingPlacement& m = motion[static_cast<std::size_t>(node.body)];
    node.x = m.at.x;
    node.D = m.at.D;
    placeJoint(node);
    const MechanismBody& body = mechanism_->bodies()[static_cast<std::size_t>(node.body)];
    const Vector3 w = node.D * angularVelocity(body, m);
    const ArticulatedBody& parent = parentOf(node);
    Vector<double, 6> relative;
    relative << m.rate.v + w.cross(node.arm) - parent.v - parent.w.cross(node.parentArm), w - parent.w;
    if (node.kind == TreeJointKind::ball)
      ratesAt(nu.data(), node) = w;
    else if (node.kind == TreeJointKind::hinge)
      nu[node.firstRate] = node.axis.dot(relative.tail<3>());
    else if (node.rates > 0) {
      const TreeJointSpace& space = spaceOf(node);
      const TreeJointSpace::Square normal = space.S.transpose() * space.S;
      ratesAt(nu.data(), node) = normal.ldlt().solve(space.S.transpose() * relative);
    }
    setVelocity(node, nu.data());
  }
  return nu;
}

}  // namespace polhode
