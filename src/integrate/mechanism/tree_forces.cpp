#include "integrate/mechanism/tree_forces.h"

#include "math/index.h"

namespace polhode {

namespace {

/// The body of the two that a hinge holds at the other one; -1 where there is none.
int hungOnTheOther(const Mechanism& mechanism, int first, int second) {
  const Topology& tree = mechanism.topology();
  for (const auto& [child, parent] : {std::pair(first, second), std::pair(second, first)})
    if (child >= 0 && parent >= 0 && tree.parent[at(child)] == parent) return child;
  return -1;
}

/// The derivative of the torque about the hinge's point by the turns, where the point stays.
SprungJoint<double> aboutHinge(const ElementJacobian& J, bool childIsSecond, const Wrench& onChild,
                               const TreeLink<double>& link, const Matrix3& D1, const Matrix3& Dm,
                               const Matrix3& parentD1) {
  const int c = childIsSecond ? 6 : 0, p = 6 - c;
  const Vector3 a = D1 * link.arm, aLeft = Dm * link.arm, b = parentD1 * link.parentArm;
  const auto block = [&](int row, int column) -> Matrix3 { return J.block<3, 3>(row, column); };
  // force and torque by a turn that takes the centre along
  const auto byTurn = [&](int row, int of, const Vector3& lever) -> Matrix3 {
    return block(row, of + 3) + crossed(block(row, of), lever);
  };
  SprungJoint<double> springs;
  springs.byBody = -(byTurn(c + 3, c, a) - crossed(aLeft, byTurn(c, c, a)) - 0.5 * doubleCross(onChild.force, a));
  springs.byParent = -(byTurn(c + 3, p, b) - crossed(aLeft, byTurn(c, p, b)));
  return springs;
}

}  // namespace

bool TreeForces::fit(const Mechanism& mechanism) {
  const JointType* const hinge = findJointType("revolute");
  for (const auto& force : mechanism.forces()) {
    if (force->first() < 0 || force->second() < 0) continue;
    const int child = hungOnTheOther(mechanism, force->first(), force->second());
    if (child < 0) return false;
    if (mechanism.joints()[at(mechanism.topology().parentJoint[at(child)])].type != hinge) return false;
  }
  return true;
}

ElementStep TreeForces::over(const ForceElement& force, const MechanismState& state, double h,
                             const TreeKernel<double>& kernel) const {
  ElementStep step{};
  step.t0 = state.time, step.t1 = state.time + h;
  const auto put = [&](int body, Placement& at0, Placement& at1) {
    if (body < 0) return;
    const std::size_t node = at(nodeOf_[at(body)]);
    at0 = state.bodies[at(body)].at;
    at1 = {at0.x + kernel.displacement(node), kernel.directorsAtEnd(node)};
  };
  put(force.first(), step.first0, step.first1);
  put(force.second(), step.second0, step.second1);
  return step;
}

void TreeForces::add(bool withMatrix, const MechanismState& state, double h, const TreeKernel<double>& kernel,
                     TreeLoops& loops) const {
  for (const auto& force : mechanism_.forces()) {
    const ElementStep step = over(*force, state, h, kernel);
    const ElementWrenches wrenches = force->meanWrenches(step);
    ElementJacobian jacobian;
    if (withMatrix) force->meanWrenchesJacobian(step, jacobian);
    const int bodies[2] = {force->first(), force->second()};
    const Wrench* const on[2] = {&wrenches.first, &wrenches.second};
    const int child = hungOnTheOther(mechanism_, bodies[0], bodies[1]);
    for (int side = 0; side < 2; ++side) {
      if (bodies[side] < 0) continue;
      const std::size_t node = at(nodeOf_[at(bodies[side])]);
      loops.pull(node).force += on[side]->force;
      loops.pull(node).torque += on[side]->torque;
      if (!withMatrix) continue;
      if (child < 0) {
        Articulated<double>& own = loops.stiffness(node);
        const int k = 6 * side;
        own.xx -= h * jacobian.block<3, 3>(k, k), own.xt -= h * jacobian.block<3, 3>(k, k + 3);
        own.tx -= h * jacobian.block<3, 3>(k + 3, k), own.tt -= h * jacobian.block<3, 3>(k + 3, k + 3);
      } else if (bodies[side] == child) {
        const TreeLink<double>& link = kernel.link(node);
        const SprungJoint<double> springs =
            aboutHinge(jacobian, side == 1, *on[side], link, kernel.directorsAtEnd(node), kernel.meanDirectors(node),
                       kernel.directorsAtEnd(at(link.parent)));
        loops.spring(node).byBody += h * springs.byBody;
        loops.spring(node).byParent += h * springs.byParent;
      }
    }
  }
}

double TreeForces::work(const MechanismState& state, double h, const TreeKernel<double>& kernel) const {
  double work = 0.0;
  for (const auto& force : mechanism_.forces()) {
    if (force->conservative()) continue;
    const ElementStep step = over(*force, state, h, kernel);
    const ElementWrenches wrenches = force->meanWrenches(step);
    for (const auto& [body, wrench] : {std::pair(force->first(), wrenches.first), {force->second(), wrenches.second}}) {
      if (body < 0) continue;
      const std::size_t node = at(nodeOf_[at(body)]);
      work += wrench.force.dot(kernel.displacement(node)) + wrench.torque.dot(kernel.turn(node));
    }
    work += force->potential(step.first1, step.second1) - force->potential(step.first0, step.second0);
  }
  return work;
}

}  // namespace polhode
