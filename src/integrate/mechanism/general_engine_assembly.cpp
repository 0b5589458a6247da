#include "integrate/mechanism/general_engine.h"
#include "integrate/mechanism/turning_inertia.h"

#include <algorithm>
#include <cmath>

/// The equations of a step, and their derivatives.
namespace polhode {

namespace {

Vector6 pair(const Vector3& a, const Vector3& b) {
  Vector6 v;
  v << a, b;
  return v;
}

}  // namespace

/// The right-hand sides, and the matrix with its factors unless those of the last time serve; or what a step is measured by.
void GeneralEngine::assemble(const MechanismState& state, double h, Forming forming) {
  place(state);
  left_ = {};
  if (forming == Forming::matrix)
    system_.clear();
  else
    system_.clearRight();
  for (std::size_t b = 0; b < end_.size(); ++b) assembleBody(state, b, h, forming);
  for (std::size_t j = 0; j < mechanism_.joints().size(); ++j)
    mechanism_.joints()[j].coupling ? assembleCoupling(state, j, h, forming) : assembleJoint(state, j, h, forming);
  for (std::size_t k = 0; k < mechanism_.forces().size(); ++k) assembleForce(state, k, h, forming);
  if (forming == Forming::matrix) system_.factorise();
}

void GeneralEngine::assembleBody(const MechanismState& state, std::size_t b, double h, Forming forming) {
  const MechanismBody& body = mechanism_.bodies()[b];
  const MovingPlacement& start = state.bodies[b];
  const BodyLoad& load = loads_[b];
  const Vector3 dx = z_.segment<3>(6 * static_cast<int>(b)), c = z_.segment<3>(6 * static_cast<int>(b) + 3);
  const Matrix3& D1 = end_[b].D;
  const Matrix3 Dm = 0.5 * (start.at.D + D1);
  const Vector3 loadTorque = load.wrench(Dm).torque;
  const double rate = 2.0 / h;

  // The mass multiplies the difference: rounded products of it and the rate would change the velocity in every step alike.
  TreeNode& node = nodeOf(static_cast<int>(b));
  node.f -= pair(body.mass * (rate * dx - 2.0 * start.rate.v - h * mechanism_.gravity()) - h * load.force,
                 turningTorque(body.secondMoments, Dm, start.rate.W, c, h) - h * loadTorque);
  if (forming == Forming::measured) {
    // all of them: where a load carries the weight of a body at rest nothing else is left to measure by
    const Vector3 pulled = body.mass * mechanism_.gravity().cwiseAbs() + load.force.cwiseAbs();
    noteTerms(
        static_cast<int>(b),
        pair(body.mass * (std::abs(rate) * dx.cwiseAbs() + 2.0 * start.rate.v.cwiseAbs()) + std::abs(h) * pulled,
             Vector3::Constant(body.secondMoments.maxCoeff() * (std::abs(rate) * c.norm() + 2.0 * start.rate.W.norm()) +
                               std::abs(h) * loadTorque.norm())));
  }
  if (forming != Forming::matrix) return;
  Matrix3 K = turningStiffness(body.secondMoments, Dm, start.rate.W, c, h);
  K += -0.5 * h * doubleCross(load.force, D1 * load.point);
  node.A.topLeftCorner<3, 3>().diagonal().array() += rate * body.mass;
  node.A.bottomRightCorner<3, 3>() += K;
}

/// Adds an impulse, force and torque times h, to the right-hand side of a body.
void GeneralEngine::addPull(int body, const Vector6& impulse, Forming forming) {
  if (body >= 0) nodeOf(body).f += impulse;
  if (forming == Forming::measured) noteTerms(body, impulse);
}

void GeneralEngine::assembleJoint(const MechanismState& state, std::size_t j, double h, Forming forming) {
  const MechanismJoint& joint = mechanism_.joints()[j];
  const ElementStep bodies = relativeStep(state, joint.first, joint.second, h);
  FormStep step(bodies);
  const int multipliers = 6 * static_cast<int>(end_.size()) + joint.firstRow;
  const int border = border_.ofJoint[j];
  const int child = border_.childOf(mechanism_, j);
  Vector6 onFirst = Vector6::Zero(), onSecond = onFirst, pull1 = onFirst, pull2 = onFirst;
  ElementJacobian stiffness;
  if (forming == Forming::matrix) stiffness.setZero();
  for (int row = 0; row < joint.rows(); ++row) {
    const JointEquation& equation = joint.equations[static_cast<std::size_t>(row)];
    const double lambda = z_[multipliers + row];
    Form atMid, atEnd;
    if (equation.drive) atMid = equation.formAt(state.time + 0.5 * h), atEnd = equation.formAt(state.time + h);

    // the multiplier's force at the mean
    step.take(equation.drive ? atMid : equation.form);
    step.gradient(FormStep::At::mean, onFirst, onSecond);
    onFirst *= h, onSecond *= h;
    pull1 += lambda * onFirst;
    pull2 += lambda * onSecond;
    if (forming == Forming::matrix) step.addStiffness(h * lambda, stiffness);

    // the gap at the end of the step
    if (equation.drive) step.take(atEnd);
    const double offset = equation.offsetAt(state.time + h), gap = step.valueAtEnd() - offset;
    if (child >= 0) {
      nodeOf(child).g[row] = -gap;
    } else {
      const int unknown = system_.firstUnknown(border) + row;
      system_.border().right(unknown) = -gap;
      system_.border().present(unknown) = lambda;
    }
    if (forming == Forming::measured) {
      const bool squared = equation.form.kind == FormKind::squaredDistance;
      noteGap(j, squared ? 0.5 * gap / std::sqrt(offset) : gap, equation.form.kind != FormKind::axes);
      noteTerms(joint.first, lambda * onFirst);
      noteTerms(joint.second, lambda * onSecond);
    }
    if (forming != Forming::matrix) continue;

    Vector6 gap1, gap2;
    step.gradient(FormStep::At::end, gap1, gap2);
    if (child >= 0) {
      TreeNode& node = nodeOf(child);
      const bool second = child == joint.second;
      node.G.row(row) = second ? gap2 : gap1;
      node.parentG.row(row) = second ? gap1 : gap2;
      node.H.row(row) = second ? -onSecond : -onFirst;
      node.parentH.row(row) = second ? -onFirst : -onSecond;
      continue;
    }
    for (const bool first : {true, false}) {
      const int body = first ? joint.first : joint.second;
      if (body < 0) continue;
      const int node = nodeOf_[static_cast<std::size_t>(body)];
      system_.borderRow(node, border, row) += first ? gap1 : gap2;
      system_.borderColumn(node, border, row) -= first ? onFirst : onSecond;
    }
  }
  if (joint.first >= 0) nodeOf(joint.first).f += pull1;
  if (joint.second >= 0) nodeOf(joint.second).f += pull2;
  if (forming == Forming::matrix)
    addStiffness(mechanism_, nodeOf_, system_, joint.first, joint.second, stiffness, border_.ofCoupling[j]);
}

/// How far a row of a joint is open, a length or an angle; not a number counts as the widest.
void GeneralEngine::noteGap(std::size_t joint, double gap, bool isLength) {
  constexpr double closed = 1e-11;
  const double relative =
      std::abs(gap) / (isLength ? size_ : 1.0) / (border_.ofJoint[joint] >= 0 ? std::max(closed, looseness_) : closed);
  if (relative <= left_.gap || std::isnan(left_.gap)) return;
  left_.gap = relative;
  left_.opening = std::abs(gap);
  left_.joint = static_cast<int>(joint);
}

/// How large a term of a body's balance of momentum is.
void GeneralEngine::noteTerms(int body, const Vector6& impulse) {
  if (body < 0) return;
  const Vector6 size = impulse.cwiseAbs();
  left_.impulse = std::max({left_.impulse, size[0], size[1], size[2]});
  left_.turningImpulse = std::max({left_.turningImpulse, size[3], size[4], size[5]});
  left_.work += size.dot(z_.segment<6>(6 * body).cwiseAbs());
}

/// Two bodies over a step, seen from where one of them was: joints know no place in space, and keep their digits far from
/// its origin.
ElementStep GeneralEngine::relativeStep(const MechanismState& state, int first, int second, double h) const {
  const Vector3 origin = state.bodies[static_cast<std::size_t>(first >= 0 ? first : second)].at.x;
  ElementStep step;
  step.t0 = state.time, step.t1 = state.time + h;
  const auto placements = [&](int body, Placement& at0, Placement& at1) {
    if (body < 0) {
      at0.x = at1.x = -origin;
      return;
    }
    const auto b = static_cast<std::size_t>(body);
    at0 = {(state.bodies[b].at.x - origin) + state.lost[b].x, state.bodies[b].at.D};
    at1 = {at0.x + z_.segment<3>(6 * body), end_[b].D};
  };
  placements(first, step.first0, step.first1);
  placements(second, step.second0, step.second1);
  return step;
}

ElementStep GeneralEngine::elementStep(const MechanismState& state, int first, int second, double h) const {
  return {state.time,        state.time + h, placement0(state, first), placement1(first), placement0(state, second),
          placement1(second)};
}

void GeneralEngine::assembleForce(const MechanismState& state, std::size_t k, double h, Forming forming) {
  const ForceElement& force = *mechanism_.forces()[k];
  const ElementStep step = elementStep(state, force.first(), force.second(), h);
  const ElementWrenches w = force.meanWrenches(step);
  addPull(force.first(), h * pair(w.first.force, w.first.torque), forming);
  addPull(force.second(), h * pair(w.second.force, w.second.torque), forming);
  if (forming != Forming::matrix) return;
  ElementJacobian jacobian;
  force.meanWrenchesJacobian(step, jacobian);
  jacobian *= h;
  addStiffness(mechanism_, nodeOf_, system_, force.first(), force.second(), jacobian, border_.ofForce[k]);
}

}  // namespace polhode
