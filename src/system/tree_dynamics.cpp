#include "polhode/system/tree_dynamics.h"

#include "polhode/error.h"
#include "polhode/system/idle_turns.h"
#include "polhode/system/pivot.h"

#include <algorithm>

#include <fmt/format.h>

namespace polhode {

namespace {

using Rates = TreeJointSpace::Rates;

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

/// D diag(J) D^T.
inline Matrix3 turned(const Matrix3& D, const Vector3& J) {
  const Matrix3 DJ = D * J.asDiagonal();
  return DJ.lazyProduct(D.transpose());
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

inline void addLoad(ArticulatedBody& parent, const Vector3& arm, const Vector3& force, const Vector3& torque) {
  parent.f += force;
  parent.c += torque + arm.cross(force);
}

Eigen::Map<const Rates> ratesAt(const double* nu, const ArticulatedBody& node) {
  return Eigen::Map<const Rates>(nu + node.firstRate, node.rates);
}
Eigen::Map<Rates> ratesAt(double* nu, const ArticulatedBody& node) {
  return Eigen::Map<Rates>(nu + node.firstRate, node.rates);
}

bool isBall(const JointType& type) {
  return type.motions.size() == 3 && std::all_of(type.motions.begin(), type.motions.end(),
                                                 [](const JointMotion& m) { return m.kind == MotionKind::rotation; });
}

bool isHinge(const JointType& type) {
  return type.motions.size() == 1 && type.motions[0].kind == MotionKind::rotation && !type.motions[0].fixedInSecond;
}

}  // namespace

TreeDynamics::TreeDynamics(std::shared_ptr<const Mechanism> mechanism) : mechanism_(std::move(mechanism)) {
  const Topology& tree = mechanism_->topology();
  nodeOfBody_.resize(tree.order.size());
  nodes_.reserve(tree.order.size());
  for (const int b : tree.order) {
    const MechanismBody& body = mechanism_->bodies()[static_cast<std::size_t>(b)];
    const int parent = tree.parent[static_cast<std::size_t>(b)];
    ArticulatedBody node;
    node.body = b;
    node.parent = parent == groundIndex ? -1 : nodeOf(parent);
    node.joint = tree.parentJoint[static_cast<std::size_t>(b)];
    node.mass = body.mass;
    node.inertia = body.inertia;
    node.x = body.placement.x;
    node.D = body.placement.D;
    if (node.joint >= 0) {
      const MechanismJoint& joint = mechanism_->joints()[static_cast<std::size_t>(node.joint)];
      const auto& motions = joint.type->motions;
      node.reversed = joint.first == b;
      node.pointInBody = (node.reversed ? joint.geometry.first : joint.geometry.second).point;
      node.pointInParent = (node.reversed ? joint.geometry.second : joint.geometry.first).point;
      node.pointSlides = std::any_of(motions.begin(), motions.end(),
                                     [](const JointMotion& m) { return m.kind == MotionKind::translation; });
      node.kind = isBall(*joint.type)    ? TreeJointKind::ball
                  : isHinge(*joint.type) ? TreeJointKind::hinge
                                         : TreeJointKind::other;
      node.rates = static_cast<int>(motions.size());
      if (node.kind == TreeJointKind::hinge) node.hingeAxis = joint.geometry.first.axes.col(motions[0].axis);
    }
    if (node.kind == TreeJointKind::other || node.kind == TreeJointKind::free) {
      node.space = static_cast<int>(spaces_.size());
      TreeJointSpace space;
      space.S = TreeJointSpace::Columns::Identity(6, node.rates);  // of a free body
      spaces_.push_back(space);
    }
    node.firstRate = rates_;
    rates_ += node.rates;
    nodeOfBody_[static_cast<std::size_t>(b)] = static_cast<int>(nodes_.size());
    nodes_.push_back(node);
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
  TreeJointSpace& space = spaces_[static_cast<std::size_t>(node.space)];
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
  Matrix3 B, C;
  atJoint(node, B, C);
  if (node.kind == TreeJointKind::ball) {
    node.pivot = C;
    const bool resists = pivot::factorise(node.pivot);
    for (int k = 0; k < 3; ++k) {
      Vector3 row = B.row(k).transpose();
      pivot::solve(node.pivot, row);
      node.response.col(k) = row;
    }
    const Matrix3 A = node.A - B.lazyProduct(node.response);
    const Matrix3 shifted = -timesHat(A, node.parentArm);
    parent.A += A;
    parent.B += shifted;
    parent.C += hatTimes(node.parentArm, shifted);
    return resists;
  }
  if (node.kind == TreeJointKind::hinge) {
    node.onForce = B * node.axis;
    node.onTorque = C * node.axis;
    const double d = node.axis.dot(node.onTorque);
    node.inversePivot = 1.0 / d;
    const Vector3 onForce = node.inversePivot * node.onForce, onTorque = node.inversePivot * node.onTorque;
    addInertia(parent, node.parentArm, node.A - node.onForce * onForce.transpose(),
               B - node.onForce * onTorque.transpose(), C - node.onTorque * onTorque.transpose());
    return d > 1e-13 * C.trace();
  }
  TreeJointSpace& space = spaces_[static_cast<std::size_t>(node.space)];
  Eigen::Matrix<double, 6, 6> inertia;
  inertia << node.A, B, B.transpose(), C;
  space.U.noalias() = inertia * space.S;
  space.pivot.noalias() = space.S.transpose() * space.U;
  const bool resists = pivot::factorise(space.pivot);
  if (node.kind == TreeJointKind::free) return resists;
  TreeJointSpace::Columns scaled = space.U;  // U L^-T diag(d)^-1/2
  for (int r = 0; r < 6; ++r) {
    Rates row = scaled.row(r).transpose();
    pivot::solveRoot(space.pivot, row);
    scaled.row(r) = row.transpose();
  }
  inertia.noalias() -= scaled * scaled.transpose();
  addInertia(parent, node.parentArm, inertia.topLeftCorner<3, 3>(), inertia.topRightCorner<3, 3>(),
             inertia.bottomRightCorner<3, 3>());
  return resists;
}

void TreeDynamics::reduceInertia(double t) {
  for (std::size_t i = nodes_.size(); i-- > 0;)
    if (!reduceInertiaOf(nodes_[i])) failWithoutInertia(t, nodes_[i]);
}

void TreeDynamics::failWithoutInertia(double t, const ArticulatedBody& node) const {
  const std::string& body = mechanism_->bodies()[static_cast<std::size_t>(node.body)].name;
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
      const Vector<double, 6> relative = spaces_[static_cast<std::size_t>(node.space)].S * ratesAt(nu, node);
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
void TreeDynamics::addMotionBias(ArticulatedBody& node, const double* nu) const {
  const MechanismJoint& joint = mechanism_->joints()[static_cast<std::size_t>(node.joint)];
  const TreeJointSpace& space = spaces_[static_cast<std::size_t>(node.space)];
  const Vector3 parentTurn = node.parent < 0 ? Vector3::Zero() : nodes_[static_cast<std::size_t>(node.parent)].w;
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

MovingPlacement TreeDynamics::movingPlacementOf(int body) const {
  if (body == groundIndex) return {};
  const ArticulatedBody& node = nodes_[static_cast<std::size_t>(nodeOf(body))];
  return {{node.x, node.D}, {node.v, hatTimes(node.w, node.D)}};
}

void TreeDynamics::addForceElements(double t) {
  for (const auto& force : mechanism_->forces()) {
    const ElementWrenches wrenches =
        force->wrenches(t, movingPlacementOf(force->first()), movingPlacementOf(force->second()));
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
      const TreeJointSpace& space = spaces_[static_cast<std::size_t>(node.space)];
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
      const TreeJointSpace& space = spaces_[static_cast<std::size_t>(node.space)];
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

// ---- what loops need -------------------------------------------------------------------------------------------------

void TreeDynamics::reduceWrenches(int firstBody, const Wrench& first, int secondBody, const Wrench& second,
                                  double* eps) {
  const auto start = [&](int body) { return body == groundIndex ? -1 : nodeOf(body); };
  int i = start(firstBody), j = start(secondBody);
  for (int k = i; k >= 0; k = nodes_[static_cast<std::size_t>(k)].parent) clearLoad(k);
  for (int k = j; k >= 0; k = nodes_[static_cast<std::size_t>(k)].parent) clearLoad(k);
  const auto load = [&](int k, const Wrench& wrench) {
    if (k < 0) return;
    nodes_[static_cast<std::size_t>(k)].f -= wrench.force;
    nodes_[static_cast<std::size_t>(k)].c -= wrench.torque;
  };
  load(i, first);
  load(j, second);
  while (i >= 0 || j >= 0) {
    // Children stand behind their parents, so the one further behind is ready.
    const int k = std::max(i, j);
    ArticulatedBody& node = nodes_[static_cast<std::size_t>(k)];
    reduceLoad<false>(node, eps);
    solveRootAt(node, eps);
    if (i == k) i = node.parent;
    if (j == k) j = node.parent;
  }
}

void TreeDynamics::clearLoad(int k) {
  nodes_[static_cast<std::size_t>(k)].f.setZero();
  nodes_[static_cast<std::size_t>(k)].c.setZero();
}

template <class OnPivot, class OnHinge>
void TreeDynamics::atPivot(const ArticulatedBody& node, double* x, const OnPivot& onPivot,
                           const OnHinge& onHinge) const {
  double* rates = x + node.firstRate;
  if (node.kind == TreeJointKind::ball) {
    Eigen::Map<Vector3> map(rates);
    onPivot(node.pivot, map);
  } else if (node.kind == TreeJointKind::hinge) {
    rates[0] *= onHinge(std::sqrt(node.inversePivot));
  } else {
    auto map = ratesAt(x, node);
    onPivot(spaces_[static_cast<std::size_t>(node.space)].pivot, map);
  }
}

void TreeDynamics::solveRootAt(const ArticulatedBody& node, double* x) const {
  atPivot(
      node, x, [](const auto& m, auto& v) { pivot::solveRoot(m, v); }, [](double inverseRoot) { return inverseRoot; });
}

/// diag(d)^-1 L^-1 U^T times the velocity of the parent at P, for toEta and fromEta.
Rates TreeDynamics::feltFromParent(const ArticulatedBody& node) {
  const ArticulatedBody& parent = parentOf(node);
  const Vector3 point = parent.v + parent.w.cross(node.parentArm);
  if (node.kind == TreeJointKind::ball) return node.response * point;
  if (node.kind == TreeJointKind::hinge)
    return Rates::Constant(1, node.inversePivot * (node.onForce.dot(point) + node.onTorque.dot(parent.w)));
  const TreeJointSpace& space = spaces_[static_cast<std::size_t>(node.space)];
  Vector<double, 6> base;
  base << point, parent.w;
  Rates rates = space.U.transpose() * base;
  pivot::solve(space.pivot, rates);
  return rates;
}

void TreeDynamics::toEta(const double* nu, double* eta) {
  for (ArticulatedBody& node : nodes_) {
    setVelocity(node, nu);
    ratesAt(eta, node) = ratesAt(nu, node) + feltFromParent(node);
    atPivot(
        node, eta, [](const auto& m, auto& v) { pivot::multiplyRootTransposed(m, v); },
        [](double inverseRoot) { return 1.0 / inverseRoot; });
  }
}

void TreeDynamics::fromEta(const double* eta, double* nu) {
  for (ArticulatedBody& node : nodes_) {
    ratesAt(nu, node) = ratesAt(eta, node);
    atPivot(
        node, nu, [](const auto& m, auto& v) { pivot::solveRootTransposed(m, v); },
        [](double inverseRoot) { return inverseRoot; });
    ratesAt(nu, node) -= feltFromParent(node);
    setVelocity(node, nu);
  }
}

void TreeDynamics::addPivoted(const double* eps, double* u) const {
  VectorX change = Eigen::Map<const VectorX>(eps, rates_);
  for (const ArticulatedBody& node : nodes_)
    atPivot(
        node, change.data(), [](const auto& m, auto& v) { pivot::multiplyRoot(m, v); },
        [](double inverseRoot) { return 1.0 / inverseRoot; });
  Eigen::Map<VectorX>(u, rates_) += change;
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
      const TreeJointSpace& space = spaces_[static_cast<std::size_t>(node.space)];
      const TreeJointSpace::Square normal = space.S.transpose() * space.S;
      ratesAt(nu.data(), node) = normal.ldlt().solve(space.S.transpose() * relative);
    }
    setVelocity(node, nu.data());
  }
  return nu;
}

}  // namespace polhode
