#include "system/instant_dynamics.h"

#include "system/joint_reaction.h"
#include "system/joint_row.h"

#include <algorithm>

namespace polhode {

namespace {

constexpr int noRow = -1;

}  // namespace

InstantDynamics::InstantDynamics(std::shared_ptr<const Mechanism> mechanism)
    : tree_(std::move(mechanism)),
      loops_(tree_),
      redundancy_(tree_.mechanism()),
      size_(reactionLength(tree_.mechanism())),
      u_(tree_.rates()),
      nudot_(tree_.rates()),
      kept_(tree_.nodes().size()) {}

const InstantForces& InstantDynamics::at(double t, const MechanismMotion& bodies, std::span<const Wrench> loads) {
  if (redundancy_.review(t, bodies)) loops_.leaveOut(redundancy_.rows());
  nu_ = tree_.ratesOf(bodies);
  tree_.reduceInertia(t);
  if (!loops_.empty()) {
    const VectorX nu = nu_;
    loops_.factorise(t);
    loops_.project(t, nu.data(), nu_.data());
  }
  keepLoads(t, loads);
  result_.reactions = respond(t, noRow, 0.0);
  result_.motion.resize(bodies.size());
  result_.accelerations.resize(bodies.size());
  for (const ArticulatedBody& node : tree_.nodes()) {
    result_.motion[static_cast<std::size_t>(node.body)] = node.motion();
    result_.accelerations[static_cast<std::size_t>(node.body)] = {node.a, node.alpha};
  }
  if (!loops_.redundantRows().empty()) relax(t);
  return result_;
}

/// Weight, gyroscopic terms, force elements and what acts from outside.
void InstantDynamics::keepLoads(double t, std::span<const Wrench> loads) {
  result_.elements.clear();
  for (const auto& force : mechanism().forces())
    result_.elements.push_back(force->wrenches(t, tree_.motionOf(force->first()), tree_.motionOf(force->second())));
  tree_.setLoads(t);
  for (std::size_t i = 0; i < kept_.size(); ++i) {
    const ArticulatedBody& node = tree_.nodes()[i];
    kept_[i] = {node.f, node.c};
    if (loads.empty()) continue;
    const Wrench& load = loads[static_cast<std::size_t>(node.body)];
    kept_[i].force -= load.force;
    kept_[i].torque -= load.torque;
  }
}

void InstantDynamics::restoreLoads() {
  for (std::size_t i = 0; i < kept_.size(); ++i) {
    tree_.nodes()[i].f = kept_[i].force;
    tree_.nodes()[i].c = kept_[i].torque;
  }
}

/// Adds the pulls of the joints that close loops to the loads.
void InstantDynamics::pull(double t, const VectorX& multipliers) {
  for (const int j : mechanism().topology().cutJoints) {
    const MechanismJoint& joint = mechanism().joints()[static_cast<std::size_t>(j)];
    for (int k = 0; k < joint.rows(); ++k) {
      const double mu = multipliers[joint.firstRow + k];
      if (mu == 0.0) continue;
      JointRow(joint, k).visitGradient(
          t, [this](int body) { return tree_.motionOf(body); },
          [&](int body, const EndGradient& end) {
            ArticulatedBody& node = tree_.nodes()[static_cast<std::size_t>(tree_.nodeOf(body))];
            node.f -= mu * end.onPosition;
            node.c -= mu * end.onRotation(node.D);
          });
    }
  }
}

/// The reactions where, besides the loads, one of the rows that are left out pulls; the accelerations stand in the nodes.
std::vector<Wrench> InstantDynamics::respond(double t, int pullingRow, double by) {
  std::vector<Wrench> wrenches(mechanism().joints().size());
  restoreLoads();
  if (!loops_.empty() || pullingRow != noRow) {
    VectorX multipliers = VectorX::Zero(mechanism().rows());
    if (pullingRow != noRow) multipliers[pullingRow] = by;
    if (!loops_.empty()) {
      pull(t, multipliers);
      tree_.reduceLoads(u_.data());
      tree_.setAccelerations(u_.data(), nudot_.data());
      loops_.closeAccelerations(t, u_.data(), nudot_.data());
      multipliers += loops_.multipliers();
    }
    for (const int j : mechanism().topology().cutJoints) {
      const MechanismJoint& joint = mechanism().joints()[static_cast<std::size_t>(j)];
      wrenches[static_cast<std::size_t>(j)] =
          jointReaction(joint, t, tree_.motionOf(joint.first).at, tree_.motionOf(joint.second).at,
                        multipliers.data() + joint.firstRow);
    }
    // Once more with the pulls of the cut joints among the loads, so that the joints of the tree feel them.
    restoreLoads();
    pull(t, multipliers);
  }
  tree_.reduceLoads(u_.data());
  tree_.setAccelerations(u_.data(), nudot_.data());
  for (const ArticulatedBody& node : tree_.nodes()) {
    if (node.joint < 0) continue;
    // On the body, at P; of a reversed joint the body is the first one, and the second feels the opposite. P is the
    // second body's point, or coincides with it.
    Wrench wrench = tree_.jointWrench(node);
    if (node.reversed) wrench = {-wrench.force, -wrench.torque};
    wrenches[static_cast<std::size_t>(node.joint)] = wrench;
  }
  return wrenches;
}

/// The largest force on a body or, where there is none, torque, so that differences of reactions keep their digits.
double InstantDynamics::loadScale() const {
  double force = 0.0, torque = 0.0;
  for (const Wrench& load : kept_) {
    force = std::max(force, load.force.norm());
    torque = std::max(torque, load.torque.norm());
  }
  return force > 0.0 ? force : torque > 0.0 ? torque : 1.0;
}

/// Adds those states of self-stress that make the reactions smallest.
void InstantDynamics::relax(double t) {
  const std::vector<int>& rows = loops_.redundantRows();
  std::vector<Wrench>& base = result_.reactions;
  const auto joints = static_cast<Eigen::Index>(base.size());
  const auto stacked = [&](const std::vector<Wrench>& wrenches) {
    VectorX all(6 * joints);
    for (Eigen::Index j = 0; j < joints; ++j)
      all.segment<6>(6 * j) << wrenches[static_cast<std::size_t>(j)].force,
          wrenches[static_cast<std::size_t>(j)].torque / size_;
    return all;
  };
  VectorX reactions = stacked(base);
  MatrixX selfStress(6 * joints, static_cast<Eigen::Index>(rows.size()));
  const double by = loadScale();
  for (std::size_t k = 0; k < rows.size(); ++k)
    selfStress.col(static_cast<Eigen::Index>(k)) = (stacked(respond(t, rows[k], by)) - reactions) / by;
  reactions -= selfStress * selfStress.colPivHouseholderQr().solve(reactions);
  for (Eigen::Index j = 0; j < joints; ++j)
    base[static_cast<std::size_t>(j)] = {reactions.segment<3>(6 * j), size_ * reactions.segment<3>(6 * j + 3)};
}

}  // namespace polhode
