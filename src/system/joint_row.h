#pragma once

#include "system/joint_coupling.h"
#include "system/mechanism_observation.h"

#include <algorithm>

/// One row of a mechanism, whatever it stands for: an equation between the two bodies of a joint, or a coupling of the
/// coordinates of two joints, which knows up to four bodies. What is asked of rows is asked here:
///
///     g,   g' = grad g . z' + g_t,   g'' = grad g . z'' + curvature
///
/// with `at(body)` the motion of a body, as a MovingPlacement, or one whose numbers carry a derivative along.
namespace polhode {

class JointRow {
 public:
  JointRow(const MechanismJoint& joint, int k) : joint_(&joint), k_(k) {}

  int number() const { return joint_->firstRow + k_; }
  const MechanismJoint& joint() const { return *joint_; }

  /// Of a coupling only the kind of its form tells something: whether it compares lengths or angles.
  const JointEquation& equation() const { return joint_->equations[static_cast<std::size_t>(k_)]; }

  template <class At>
  double gap(double t, const At& at) const {
    if (joint_->coupling) return joint_->coupling->gap(at);
    const auto &first = at(joint_->first), &second = at(joint_->second);
    return equation().gap(t, first.at, second.at);
  }

  /// g_t
  template <class At>
  ScalarAt<At> drivenRate(double t, const At& at) const {
    if (!equation().drive) return 0.0;
    const auto &first = at(joint_->first), &second = at(joint_->second);
    return equation().drivenRate(t, first.at, second.at);
  }

  template <class At>
  ScalarAt<At> rate(double t, const At& at) const {
    ScalarAt<At> sum = drivenRate(t, at);
    visitGradient(t, at, [&](int body, const auto& end) { sum += end.along(at(body).rate); });
    return sum;
  }

  template <class At>
  ScalarAt<At> curvature(double t, const At& at) const {
    if (joint_->coupling) return joint_->coupling->curvature(at);
    const auto &first = at(joint_->first), &second = at(joint_->second);
    return equation().curvature(t, first, second);
  }

  /// Calls with each body, but not with the ground, and its part of grad g; bodies may come more than once.
  template <class At, class Visit>
  void visitGradient(double t, const At& at, const Visit& visit) const {
    if (joint_->coupling) return joint_->coupling->visitGradient(at, visit);
    const auto &first = at(joint_->first), &second = at(joint_->second);
    const auto g = equation().gradient(t, first.at, second.at);
    if (joint_->first != groundIndex) visit(joint_->first, g.first);
    if (joint_->second != groundIndex) visit(joint_->second, g.second);
  }

 private:
  const MechanismJoint* joint_;
  int k_;
};

/// Calls with each row of a mechanism, in their order.
template <class Visit>
void forEachRow(const Mechanism& mechanism, const Visit& visit) {
  for (const MechanismJoint& joint : mechanism.joints())
    for (int k = 0; k < joint.rows(); ++k) visit(JointRow(joint, k));
}

/// The bodies that a joint or a coupling knows, each once, without the ground.
inline std::vector<int> bodiesOf(const MechanismJoint& joint) {
  std::vector<int> bodies = {joint.first, joint.second};
  if (joint.coupling)
    for (const CouplingTerm& term : joint.coupling->terms()) bodies.insert(bodies.end(), {term.first, term.second});
  std::sort(bodies.begin(), bodies.end());
  bodies.erase(std::unique(bodies.begin(), bodies.end()), bodies.end());
  std::erase(bodies, groundIndex);
  return bodies;
}

/// The motion of bodies, for the questions to rows.
inline auto motionsIn(std::span<const MovingPlacement> bodies) {
  return [bodies](int body) -> const MovingPlacement& { return motionOf(bodies, body); };
}

}  // namespace polhode
