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

/// The right-hand sides, and the matrix with its factors unless those of the last time serve.
void GeneralEngine::assemble(const MechanismState& state, double h, Matrix matrix) {
  place(state);
  left_ = {};
  if (matrix == Matrix::made)
    system_.clear();
  else
    system_.clearRight();
  for (std::size_t b = 0; b < end_.size(); ++b) assembleBody(state, b, h, matrix);
  for (std::size_t j = 0; j < mechanism_.joints().size(); ++j)
    mechanism_.joints()[j].coupling ? assembleCoupling(state, j, h, matrix) : assembleJoint(state, j, h, matrix);
  for (std::size_t k = 0; k < mechanism_.forces().size(); ++k) assembleForce(state, k, h, matrix);
  if (matrix == Matrix::made) system_.factorise();
}

void GeneralEngine::assembleBody(const MechanismState& state, std::size_t b, double h, Matrix matrix) {
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
  // all of them: where a load carries the weight of a body at rest nothing else is left to measure by
  const Vector3 pulled = body.mass * mechanism_.gravity().cwiseAbs() + load.force.cwiseAbs();
  noteTerms(static_cast<int>(b),
            {body.mass * (std::abs(rate) * dx.cwiseAbs() + 2.0 * start.rate.v.cwiseAbs()) + std::abs(h) * pulled,
             Vector3::Constant(body.secondMoments.maxCoeff() * (std::abs(rate) * c.norm() + 2.0 * start.rate.W.norm()) +
                               std::abs(h) * loadTorque.norm())});
  if (matrix == Matrix::kept) return;
  Matrix3 K = turningStiffness(body.secondMoments, Dm, start.rate.W, c, h);
  K += -0.5 * h * doubleCross(load.force, D1 * load.point);
  node.A.topLeftCorner<3, 3>().diagonal().array() += rate * body.mass;
  node.A.bottomRightCorner<3, 3>() += K;
}

/// Adds the wrenches (times h) of a pair of bodies to the right-hand sides.
void GeneralEngine::addWrenches(int first, int second, const ElementWrenches& w) {
  if (first >= 0) nodeOf(first).f += pair(w.first.force, w.first.torque);
  if (second >= 0) nodeOf(second).f += pair(w.second.force, w.second.torque);
}

void GeneralEngine::assembleJoint(const MechanismState& state, std::size_t j, double h, Matrix matrix) {
  const MechanismJoint& joint = mechanism_.joints()[j];
  const MeanForm step = meanForm(state, joint.first, joint.second);
  const int multipliers = 6 * static_cast<int>(end_.size()) + joint.firstRow;
  const int border = border_.ofJoint[j];
  const int child = border_.childOf(mechanism_, j);
  ElementWrenches sum;
  ElementJacobian stiffness;
  if (matrix == Matrix::made) stiffness.setZero();
  for (int row = 0; row < joint.rows(); ++row) {
    const JointEquation& equation = joint.equations[static_cast<std::size_t>(row)];
    const double lambda = z_[multipliers + row];
    const Form form = equation.formAt(state.time + 0.5 * h), endForm = equation.formAt(state.time + h);
    const ElementWrenches w = step.wrenches(form);
    sum.first.force += h * lambda * w.first.force;
    sum.first.torque += h * lambda * w.first.torque;
    sum.second.force += h * lambda * w.second.force;
    sum.second.torque += h * lambda * w.second.torque;
    const double offset = equation.offsetAt(state.time + h);
    const double gap = endForm.value(step.first1, step.second1) - offset;
    noteGap(j, form.kind == FormKind::squaredDistance ? 0.5 * gap / std::sqrt(offset) : gap,
            form.kind != FormKind::axes);
    noteTerms(joint.first, {h * lambda * w.first.force, h * lambda * w.first.torque});
    noteTerms(joint.second, {h * lambda * w.second.force, h * lambda * w.second.torque});
    if (child >= 0) {
      nodeOf(child).g[row] = -gap;
    } else {
      const int unknown = system_.firstUnknown(border) + row;
      system_.border().right(unknown) = -gap;
      system_.border().present(unknown) = lambda;
    }
    if (matrix == Matrix::kept) continue;

    // the gap at the end of the step, and the multiplier's force at the mean
    step.addStiffness(form, h * lambda, stiffness);
    const FormGradient end = endForm.gradient(step.first1, step.second1);
    const Vector6 gap1 = pair(end.first.onPosition, end.first.onRotation(step.first1.D));
    const Vector6 gap2 = pair(end.second.onPosition, end.second.onRotation(step.second1.D));
    const Vector6 force1 = -h * pair(w.first.force, w.first.torque),
                  force2 = -h * pair(w.second.force, w.second.torque);
    if (child >= 0) {
      TreeNode& node = nodeOf(child);
      const bool second = child == joint.second;
      node.G.row(row) = second ? gap2 : gap1;
      node.parentG.row(row) = second ? gap1 : gap2;
      node.H.row(row) = second ? force2 : force1;
      node.parentH.row(row) = second ? force1 : force2;
      continue;
    }
    for (const bool first : {true, false}) {
      const int body = first ? joint.first : joint.second;
      if (body < 0) continue;
      const int node = nodeOf_[static_cast<std::size_t>(body)];
      system_.borderRow(node, border, row) += first ? gap1 : gap2;
      system_.borderColumn(node, border, row) += first ? force1 : force2;
    }
  }
  addWrenches(joint.first, joint.second, sum);
  if (matrix == Matrix::made)
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
void GeneralEngine::noteTerms(int body, const Wrench& impulse) {
  if (body < 0) return;
  left_.impulse = std::max(left_.impulse, impulse.force.cwiseAbs().maxCoeff());
  left_.turningImpulse = std::max(left_.turningImpulse, impulse.torque.cwiseAbs().maxCoeff());
  left_.work += impulse.force.cwiseAbs().dot(z_.segment<3>(6 * body).cwiseAbs()) +
                impulse.torque.cwiseAbs().dot(z_.segment<3>(6 * body + 3).cwiseAbs());
}

/// Two bodies over a step, seen from where one of them was: joints know no place in space, and keep their digits far from
/// its origin.
MeanForm GeneralEngine::meanForm(const MechanismState& state, int first, int second) const {
  const Vector3 origin = state.bodies[static_cast<std::size_t>(first >= 0 ? first : second)].at.x;
  const auto placements = [&](int body, Placement& at0, Placement& at1) {
    if (body < 0) {
      at0.x = at1.x = -origin;
      return;
    }
    const auto b = static_cast<std::size_t>(body);
    at0 = {(state.bodies[b].at.x - origin) + state.lost[b].x, state.bodies[b].at.D};
    at1 = {at0.x + z_.segment<3>(6 * body), end_[b].D};
  };
  MeanForm form;
  placements(first, form.first0, form.first1);
  placements(second, form.second0, form.second1);
  return form;
}

ElementStep GeneralEngine::elementStep(const MechanismState& state, int first, int second, double h) const {
  return {state.time,        state.time + h, placement0(state, first), placement1(first), placement0(state, second),
          placement1(second)};
}

void GeneralEngine::assembleForce(const MechanismState& state, std::size_t k, double h, Matrix matrix) {
  const ForceElement& force = *mechanism_.forces()[k];
  const ElementStep step = elementStep(state, force.first(), force.second(), h);
  ElementWrenches w = force.meanWrenches(step);
  for (Wrench* wrench : {&w.first, &w.second}) {
    wrench->force *= h;
    wrench->torque *= h;
  }
  noteTerms(force.first(), w.first);
  noteTerms(force.second(), w.second);
  addWrenches(force.first(), force.second(), w);
  if (matrix == Matrix::kept) return;
  ElementJacobian jacobian;
  force.meanWrenchesJacobian(step, jacobian);
  jacobian *= h;
  addStiffness(mechanism_, nodeOf_, system_, force.first(), force.second(), jacobian, border_.ofForce[k]);
}

}  // namespace polhode
