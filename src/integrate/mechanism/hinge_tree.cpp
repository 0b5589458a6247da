#include "polhode/integrate/mechanism/hinge_tree.h"

#include "polhode/math/rotation_maps.h"

#include <cmath>
#include <limits>

namespace polhode {

namespace {

constexpr int mostIterations = 12;

/// a^ M.
Matrix3 crossed(const Vector3& a, const Matrix3& M) {
  Matrix3 r;
  for (int j = 0; j < 3; ++j) {
    r(0, j) = a[1] * M(2, j) - a[2] * M(1, j);
    r(1, j) = a[2] * M(0, j) - a[0] * M(2, j);
    r(2, j) = a[0] * M(1, j) - a[1] * M(0, j);
  }
  return r;
}

/// M a^.
Matrix3 crossed(const Matrix3& M, const Vector3& a) {
  Matrix3 r;
  for (int i = 0; i < 3; ++i) {
    r(i, 0) = M(i, 1) * a[2] - M(i, 2) * a[1];
    r(i, 1) = M(i, 2) * a[0] - M(i, 0) * a[2];
    r(i, 2) = M(i, 0) * a[1] - M(i, 1) * a[0];
  }
  return r;
}

/// Adds s a^ b^ = s (b a^T - (a . b) I).
void addDoubleCross(Matrix3& M, double s, const Vector3& a, const Vector3& b) {
  const Vector3 sb = s * b;
  const double trace = sb.dot(a);
  for (int j = 0; j < 3; ++j) {
    for (int i = 0; i < 3; ++i) M(i, j) += sb[i] * a[j];
    M(j, j) -= trace;
  }
}

Matrix3 product(const Matrix3& A, const Matrix3& B) {
  return A.lazyProduct(B);
}

Matrix3 inverseOf(const Matrix3& m) {
  const Vector3 a = m.col(0), b = m.col(1), c = m.col(2);
  const Vector3 bc = b.cross(c), ca = c.cross(a), ab = a.cross(b);
  const double s = 1.0 / a.dot(bc);
  Matrix3 r;
  r.row(0) = s * bc;
  r.row(1) = s * ca;
  r.row(2) = s * ab;
  return r;
}

}  // namespace

bool HingeTree::fits(const Mechanism& mechanism) {
  const Topology& tree = mechanism.topology();
  if (!tree.cutJoints.empty() || !mechanism.forces().empty()) return false;
  for (std::size_t b = 0; b < mechanism.bodies().size(); ++b) {
    if (tree.parentJoint[b] < 0) return false;
    const std::string& type = mechanism.joints()[static_cast<std::size_t>(tree.parentJoint[b])].type->name;
    if (type != "spherical" && type != "revolute") return false;
    const Vector3& J = mechanism.bodies()[b].inertia;
    if (!(J.minCoeff() > 1e-9 * J.maxCoeff())) return false;
  }
  return !mechanism.bodies().empty();
}

HingeTree::HingeTree(const Mechanism& mechanism, int sequences) : gravity_(mechanism.gravity()) {
  const Topology& tree = mechanism.topology();
  std::vector<int> nodeOf(tree.order.size(), -1);
  for (const int b : tree.order) {
    const auto body = static_cast<std::size_t>(b);
    const MechanismJoint& joint = mechanism.joints()[static_cast<std::size_t>(tree.parentJoint[body])];
    const bool second = joint.second == b;
    const JointFrame &own = second ? joint.geometry.second : joint.geometry.first,
                     &other = second ? joint.geometry.first : joint.geometry.second;
    Link link{own.point,
              other.point,
              mechanism.bodies()[body].secondMoments,
              mechanism.bodies()[body].mass,
              b,
              -1,
              -1,
              joint.firstRow,
              second ? 1.0 : -1.0};
    if (tree.parent[body] >= 0) link.parent = nodeOf[static_cast<std::size_t>(tree.parent[body])];
    if (joint.rows() == 5) {
      link.hinge = static_cast<int>(hinges_.size());
      Hinge& hinge = hinges_.emplace_back();
      for (int k = 0; k < 2; ++k) {
        const Form& form = joint.equations[static_cast<std::size_t>(3 + k)].form;
        hinge.axis[k] = second ? form.b : form.a;
        hinge.parentAxis[k] = second ? form.a : form.b;
      }
    }
    nodeOf[body] = static_cast<int>(links_.size());
    links_.push_back(link);
  }
  nodes_.resize(links_.size());
  pasts_.resize(static_cast<std::size_t>(sequences));
  for (Past& past : pasts_)
    for (int k = 0; k < pastSteps; ++k) {
      past.c[k].assign(links_.size(), Vector3::Zero());
      past.mu[k].assign(2 * hinges_.size(), 0.0);
    }
}

StepReport HingeTree::step(MechanismState& state, double h, int sequence) {
  Past& past = pasts_[static_cast<std::size_t>(sequence)];
  const StepReport report = iterateFromPast(
      past.known, contraction_, [&] { predict(state, h, past); }, [&] { return iterate(state, h); });
  if (report.converged) finish(state, h, past);
  return report;
}

/// Extrapolates the turns (and the hinges' multipliers) of the last steps, up to cubically.
void HingeTree::predict(const MechanismState& state, double h, Past& past) {
  if (std::abs(h - past.h) > 1e-9 * std::abs(h)) past.known = 0;
  past.h = h;
  constexpr double weights[pastSteps + 1][pastSteps] = {
      {0, 0, 0, 0}, {1, 0, 0, 0}, {2, -1, 0, 0}, {3, -3, 1, 0}, {4, -6, 4, -1}};
  const double* w = weights[past.known];
  if (past.known == 0) {
    for (std::size_t i = 0; i < nodes_.size(); ++i) {
      nodes_[i].c = h * turnRate(state.bodies[static_cast<std::size_t>(links_[i].body)]);
      if (links_[i].hinge < 0) continue;
      for (int k = 0; k < 2; ++k)
        hinges_[static_cast<std::size_t>(links_[i].hinge)].mu[k] = state.multipliers[links_[i].firstRow + 3 + k];
    }
    return;
  }
  for (std::size_t i = 0; i < nodes_.size(); ++i)
    nodes_[i].c = w[0] * past.c[0][i] + w[1] * past.c[1][i] + w[2] * past.c[2][i] + w[3] * past.c[3][i];
  for (std::size_t i = 0; i < hinges_.size(); ++i)
    for (int k = 0; k < 2; ++k) {
      double mu = 0.0;
      for (int m = 0; m < pastSteps; ++m) mu += w[m] * past.mu[m][2 * i + static_cast<std::size_t>(k)];
      hinges_[i].mu[k] = mu;
    }
}

/// Newton's method; stops when the next correction would be lost in the increments' roundings.
StepReport HingeTree::iterate(const MechanismState& state, double h) {
  constexpr double roundOff = std::numeric_limits<double>::epsilon(), stagnation = 1e-13;
  StepReport report;
  double before = 0.0;
  outward(state);
  while (report.iterations < mostIterations) {
    inward(state, h);
    const double now = correct(h);
    ++report.iterations;
    report.residual = now;
    if (!std::isfinite(now)) return report;
    outward(state);
    double largest = 0.0;
    for (const Node& node : nodes_) largest = std::max(largest, node.c.squaredNorm());
    const double target = roundOff * std::max(std::sqrt(largest), 1e-6);
    if (contraction_.suffices(now, before, target) || (before > 0.0 && now < stagnation && now > 0.5 * before)) {
      report.converged = true;
      return report;
    }
    before = now;
  }
  return report;
}

/// Where everything is at the end of the step, from the root outwards.
void HingeTree::outward(const MechanismState& state) {
  for (std::size_t i = 0; i < nodes_.size(); ++i) {
    const Link& link = links_[i];
    Node& node = nodes_[i];
    const Placement& at = state.bodies[static_cast<std::size_t>(link.body)].at;
    // D1 = cay(c) D0 and Dm = (D0 + D1)/2
    const Vector3 half = 0.5 * node.c;
    const double s = 1.0 / (1.0 + half.squaredNorm());
    Matrix3 H = (s * half) * half.transpose();  // (I + c^/2 + c c^T/4) s: Dm = H D0
    const Vector3 sh = s * half;
    H(0, 0) += s, H(1, 1) += s, H(2, 2) += s;
    H(0, 1) -= sh[2], H(0, 2) += sh[1], H(1, 0) += sh[2], H(1, 2) -= sh[0], H(2, 0) -= sh[1], H(2, 1) += sh[0];
    node.Dm = product(H, at.D);
    node.D1 = 2.0 * node.Dm - at.D;

    const Vector3 swing = node.c.cross(node.Dm * link.arm);
    if (link.parent < 0) {
      node.dx = link.parentArm - (at.x + at.D * link.arm) - swing;
    } else {
      const Node& parent = nodes_[static_cast<std::size_t>(link.parent)];
      const Placement& before =
          state.bodies[static_cast<std::size_t>(links_[static_cast<std::size_t>(link.parent)].body)].at;
      const Vector3 gap = (at.x - before.x) + (at.D * link.arm - before.D * link.parentArm);
      node.dx = parent.dx + (parent.c.cross(parent.Dm * link.parentArm) - swing) - gap;
    }
  }
}

/// The equations of all bodies, eliminated from the leaves to the root.
void HingeTree::inward(const MechanismState& state, double h) {
  for (std::size_t i = 0; i < nodes_.size(); ++i) {
    Node& node = nodes_[i];
    node.Lambda.setZero();
    node.xx.setZero(), node.xt.setZero(), node.tx.setZero(), node.tt.setZero();
    node.fx.setZero(), node.ft.setZero();
  }
  for (std::size_t i = nodes_.size(); i-- > 0;) {
    const Link& link = links_[i];
    bodyEquations(link, nodes_[i], state.bodies[static_cast<std::size_t>(link.body)], h);
    if (link.hinge < 0)
      eliminateBall(link, nodes_[i]);
    else
      eliminateHinge(link, nodes_[i], h);
  }
}

/// Inertia, weight and the force of the parent joint; those of the children have been added before.
void HingeTree::bodyEquations(const Link& link, Node& node, const MovingPlacement& start, double h) {
  const double rate = 2.0 / h;
  const Vector3& c = node.c;
  const Matrix3& Dm = node.Dm;

  // E_m and Z, then what follows from them
  const Matrix3 weighted = Dm * link.secondMoments.asDiagonal();
  const Matrix3 Em = product(weighted, Dm.transpose()), Z = product(weighted, start.rate.W.transpose());
  const double trace = Em(0, 0) + Em(1, 1) + Em(2, 2);
  const Vector3 Ec = Em * c, Jc = trace * c - Ec;
  node.ft -= rate * Jc - 2.0 * Vector3(Z(1, 2) - Z(2, 1), Z(2, 0) - Z(0, 2), Z(0, 1) - Z(1, 0));

  Matrix3 U = -2.0 * Z - rate * crossed(Em, c);
  U += 0.5 * crossed(c, U);
  const double traceU = U(0, 0) + U(1, 1) + U(2, 2);
  const Vector3 w = (Ec + 0.5 * c.cross(Ec)) / h;
  // J_m C^-1 = J_m (I - c^/2 + c c^T/4)
  Matrix3 Jm = -Em;
  Jm(0, 0) += trace, Jm(1, 1) += trace, Jm(2, 2) += trace;
  Matrix3 K = 0.5 * U;
  K(0, 0) -= 0.5 * traceU, K(1, 1) -= 0.5 * traceU, K(2, 2) -= 0.5 * traceU;
  K +=
      rate * (Jm - 0.5 * crossed(Jm, c)) + Jc * (0.25 * rate * c).transpose() - c * (0.5 / h * Jc).transpose() + hat(w);

  // the force of the parent joint: Lambda
  node.Lambda += rate * link.mass * node.dx - 2.0 * link.mass * start.rate.v - h * link.mass * gravity_;
  node.ft += (Dm * link.arm).cross(node.Lambda);
  addDoubleCross(K, -0.5, node.Lambda, Vector3(node.D1 * link.arm));
  node.tt += K;
  for (int k = 0; k < 3; ++k) node.xx(k, k) += rate * link.mass;

  if (link.parent < 0) return;
  Node& parent = nodes_[static_cast<std::size_t>(link.parent)];
  parent.Lambda += node.Lambda;
  parent.ft -= (parent.Dm * link.parentArm).cross(node.Lambda);
  addDoubleCross(parent.tt, 0.5, node.Lambda, Vector3(parent.D1 * link.parentArm));
}

void HingeTree::eliminateBall(const Link& link, Node& node) {
  // in the motion xi of the joint's point and the turn: dx = xi + a^ turn
  const Vector3 a = node.D1 * link.arm, aLeft = node.Dm * link.arm;
  const Matrix3 xt = node.xt + crossed(node.xx, a);
  const Matrix3 tt = node.tt + crossed(node.tx, a) - crossed(aLeft, xt);
  const Matrix3 tx = node.tx - crossed(aLeft, node.xx);
  const Vector3 ft = node.ft - aLeft.cross(node.fx);

  const Matrix3 inverse = inverseOf(tt);
  node.turn = inverse * ft;
  node.byPlace = product(inverse, tx);
  if (link.parent < 0) return;
  const Matrix3 XX = node.xx - product(xt, node.byPlace);
  const Vector3 fx = node.fx - xt * node.turn;

  Node& parent = nodes_[static_cast<std::size_t>(link.parent)];
  const Vector3 b = parent.D1 * link.parentArm, bLeft = parent.Dm * link.parentArm;
  const Matrix3 XXb = crossed(XX, b);
  parent.xx += XX;
  parent.xt -= XXb;
  parent.tx += crossed(bLeft, XX);
  parent.tt -= crossed(bLeft, XXb);
  parent.fx += fx;
  parent.ft += bLeft.cross(fx);
}

void HingeTree::eliminateHinge(const Link& link, Node& node, double h) {
  static const Matrix3 identity = Matrix3::Identity();
  Hinge& hinge = hinges_[static_cast<std::size_t>(link.hinge)];
  Node* parent = link.parent < 0 ? nullptr : &nodes_[static_cast<std::size_t>(link.parent)];
  const Matrix3 &parentD1 = parent ? parent->D1 : identity, &parentDm = parent ? parent->Dm : identity;

  // the rows' torques, gaps and geometric stiffness
  Vector3 u[2], uLeft[2], g;
  Matrix3 C = Matrix3::Zero(), Pc = Matrix3::Zero();  // torque on the body by the parent's turn, and the reverse
  for (int k = 0; k < 2; ++k) {
    const Vector3 e = node.D1 * hinge.axis[k], eParent = parentD1 * hinge.parentAxis[k];
    const Vector3 p = node.Dm * hinge.axis[k], pParent = parentDm * hinge.parentAxis[k];
    u[k] = e.cross(eParent);
    uLeft[k] = p.cross(pParent);
    g[k] = e.dot(eParent);
    const double impulse = h * hinge.mu[k];
    node.ft += impulse * uLeft[k];
    addDoubleCross(node.tt, -0.5 * impulse, pParent, e);
    if (!parent) continue;
    parent->ft -= impulse * uLeft[k];
    addDoubleCross(C, 0.5 * impulse, p, eParent);
    addDoubleCross(Pc, 0.5 * impulse, pParent, e);
    addDoubleCross(parent->tt, -0.5 * impulse, p, eParent);
  }

  // turn = n s + P turn_p + offset
  hinge.n = u[0].cross(u[1]);
  hinge.nLeft = uLeft[0].cross(uLeft[1]);
  const double size = 1.0 / hinge.n.squaredNorm(), sizeLeft = 1.0 / hinge.nLeft.squaredNorm();
  hinge.offset = -size * (g[0] * u[1].cross(hinge.n) + g[1] * hinge.n.cross(u[0]));
  hinge.SLeft.col(0) = sizeLeft * uLeft[1].cross(hinge.nLeft);
  hinge.SLeft.col(1) = sizeLeft * hinge.nLeft.cross(uLeft[0]);

  // in the motion xi of the joint's point and the turn
  const Vector3 a = node.D1 * link.arm, aLeft = node.Dm * link.arm;
  const Matrix3 xt = node.xt + crossed(node.xx, a);
  const Matrix3 tt = node.tt + crossed(node.tx, a) - crossed(aLeft, xt);
  const Matrix3 tx = node.tx - crossed(aLeft, node.xx);
  const Vector3 ft = node.ft - aLeft.cross(node.fx);

  const double m = 1.0 / hinge.nLeft.dot(tt * hinge.n);
  const Vector3 leftT = tt.transpose() * hinge.nLeft;
  hinge.rowPlace = m * (tx.transpose() * hinge.nLeft);
  hinge.s0 = m * (hinge.nLeft.dot(ft) - leftT.dot(hinge.offset));
  hinge.Btx = tx;
  hinge.Btt = tt;
  hinge.ft = ft;
  if (!parent) return;

  const auto project = [&](const Vector3& n, double scale) -> Matrix3 {
    return identity - n * (scale * n).transpose();
  };
  hinge.P = project(hinge.n, size);
  hinge.C = C;
  const Matrix3 PLeft = project(hinge.nLeft, sizeLeft);
  hinge.rowTurn = m * (hinge.P * leftT + C.transpose() * hinge.nLeft);
  const Matrix3 L = product(PLeft, tt) + Pc;
  const Vector3 kx = xt * hinge.n, kt = L * hinge.n;
  const Matrix3 XX = node.xx - kx * hinge.rowPlace.transpose();
  const Matrix3 XT = product(xt, hinge.P) - kx * hinge.rowTurn.transpose();
  const Matrix3 TX = product(PLeft, tx) - kt * hinge.rowPlace.transpose();
  const Matrix3 TT = product(L, hinge.P) + product(PLeft, C) - kt * hinge.rowTurn.transpose();
  passToParent(link, XX, XT, TX, TT, node.fx - xt * hinge.offset - hinge.s0 * kx,
               PLeft * ft - L * hinge.offset - hinge.s0 * kt);
}

/// From the motion of the joint's point and the parent's turn to the parent's own six.
void HingeTree::passToParent(const Link& link, const Matrix3& XX, const Matrix3& XT, const Matrix3& TX,
                             const Matrix3& TT, const Vector3& fx, const Vector3& ft) {
  Node& parent = nodes_[static_cast<std::size_t>(link.parent)];
  const Vector3 b = parent.D1 * link.parentArm, bLeft = parent.Dm * link.parentArm;
  const Matrix3 byTurn = XT - crossed(XX, b);
  parent.xx += XX;
  parent.xt += byTurn;
  parent.tx += TX + crossed(bLeft, XX);
  parent.tt += TT - crossed(TX, b) + crossed(bLeft, byTurn);
  parent.fx += fx;
  parent.ft += ft + bLeft.cross(fx);
}

/// Back from the root to the leaves: the corrections of the turns and multipliers; the largest turn.
double HingeTree::correct(double h) {
  double largest = 0.0;
  // node.fx and node.ft have been used; they carry the motion of the body now: place and turn
  for (std::size_t i = 0; i < nodes_.size(); ++i) {
    const Link& link = links_[i];
    Node& node = nodes_[i];
    Vector3 xi = Vector3::Zero(), parentTurn = Vector3::Zero();
    if (link.parent >= 0) {
      const Node& parent = nodes_[static_cast<std::size_t>(link.parent)];
      parentTurn = parent.ft;
      xi = parent.fx - (parent.D1 * link.parentArm).cross(parent.ft);
    }
    Vector3 turn;
    if (link.hinge < 0) {
      turn = node.turn - node.byPlace * xi;
    } else {
      Hinge& hinge = hinges_[static_cast<std::size_t>(link.hinge)];
      double s = hinge.s0;
      turn = hinge.offset;
      Vector3 rest = -hinge.ft;
      if (link.parent >= 0) {
        s -= hinge.rowPlace.dot(xi) + hinge.rowTurn.dot(parentTurn);
        turn += hinge.P * parentTurn;
        rest += hinge.Btx * xi + hinge.C * parentTurn;
      }
      turn += s * hinge.n;
      rest += hinge.Btt * turn;
      for (int k = 0; k < 2; ++k) hinge.mu[k] += hinge.SLeft.col(k).dot(rest) / h;
    }
    node.ft = turn;
    node.fx = xi + (node.D1 * link.arm).cross(turn);
    // dc = C^-1 turn
    const Vector3 dc = turn - 0.5 * node.c.cross(turn) + (0.25 * node.c.dot(turn)) * node.c;
    node.c += dc;
    const double change = dc.squaredNorm();
    if (!(change <= largest)) largest = change;
  }
  return std::sqrt(largest);
}

/// The forces of the points, for the increments as they are now.
void HingeTree::sumForces(const MechanismState& state, double h) {
  for (Node& node : nodes_) node.Lambda.setZero();
  for (std::size_t i = nodes_.size(); i-- > 0;) {
    const Link& link = links_[i];
    const Vector3& v = state.bodies[static_cast<std::size_t>(link.body)].rate.v;
    nodes_[i].Lambda += link.mass * (2.0 / h * nodes_[i].dx - 2.0 * v - h * gravity_);
    if (link.parent >= 0) nodes_[static_cast<std::size_t>(link.parent)].Lambda += nodes_[i].Lambda;
  }
}

void HingeTree::finish(MechanismState& state, double h, Past& past) {
  const double rate = 2.0 / h;
  for (int k = pastSteps - 1; k > 0; --k) {
    past.c[k].swap(past.c[k - 1]);
    past.mu[k].swap(past.mu[k - 1]);
  }
  past.known = std::min(past.known + 1, pastSteps);
  sumForces(state, h);
  for (std::size_t i = 0; i < nodes_.size(); ++i) {
    const Link& link = links_[i];
    const Node& node = nodes_[i];
    MovingPlacement& body = state.bodies[static_cast<std::size_t>(link.body)];
    past.c[0][i] = node.c;
    body.rate.v = rate * node.dx - body.rate.v;
    body.rate.W = crossed(Vector3(rate * node.c), node.Dm) - body.rate.W;
    body.at.x += node.dx;
    Matrix3 square = -0.5 * node.D1.transpose().lazyProduct(node.D1);
    square(0, 0) += 1.5, square(1, 1) += 1.5, square(2, 2) += 1.5;
    body.at.D = product(node.D1, square);
    for (int k = 0; k < 3; ++k) state.multipliers[link.firstRow + k] = link.sign / h * node.Lambda[k];
    if (link.hinge < 0) continue;
    const Hinge& hinge = hinges_[static_cast<std::size_t>(link.hinge)];
    for (int k = 0; k < 2; ++k) {
      past.mu[0][static_cast<std::size_t>(2 * link.hinge + k)] = hinge.mu[k];
      state.multipliers[link.firstRow + 3 + k] = hinge.mu[k];
    }
  }
  state.time += h;
}

}  // namespace polhode
