#include "system/loop_conditions.h"

#include "model/tree_paths.h"
#include "system/joint_row.h"

#include <algorithm>
#include <cmath>
#include <map>

namespace polhode {

TreeRates::TreeRates(const Mechanism& mechanism, std::span<const MovingPlacement> at) : mechanism_(mechanism) {
  const Topology& tree = mechanism.topology();
  start_.resize(mechanism.bodies().size() + 1, 0);
  for (std::size_t b = 0; b < mechanism.bodies().size(); ++b) {
    start_[b] = static_cast<int>(rates_.size());
    const int joint = tree.parentJoint[b];
    if (joint < 0)
      addFreeBody(at[b].at.x);
    else
      addJoint(mechanism.joints()[static_cast<std::size_t>(joint)], at);
  }
  start_.back() = static_cast<int>(rates_.size());
}

void TreeRates::addFreeBody(const Vector3& centre) {
  for (int k = 0; k < 3; ++k) rates_.push_back({Vector3::Unit(k), Vector3::Zero(), centre});
  for (int k = 0; k < 3; ++k) rates_.push_back({-Vector3::Unit(k).cross(centre), Vector3::Unit(k), centre});
}

void TreeRates::addJoint(const MechanismJoint& joint, std::span<const MovingPlacement> at) {
  const Placement first = motionOf(at, joint.first).at, second = motionOf(at, joint.second).at;
  for (const JointMotion& motion : joint.type->motions) {
    const Vector3 axis = motion.fixedInSecond ? Vector3(second.D * joint.geometry.second.axes.col(motion.axis))
                                              : Vector3(first.D * joint.geometry.first.axes.col(motion.axis));
    const Vector3 centre = second.point(joint.geometry.second.point);
    if (motion.kind == MotionKind::translation)
      rates_.push_back({axis, Vector3::Zero(), centre});
    else
      rates_.push_back({-axis.cross(centre), axis, centre});
  }
}

namespace {

/// A row of a joint that closes a loop, before it is made comparable.
struct RawRow {
  int row;
  FormKind kind;
  double length;  // of the form per length of the gap: twice the distance for a squared one, otherwise one
  Vector3 point;  // where the joint is
  std::vector<std::pair<int, double>> entries;  // on the rates of its loop
};

RawRow rawRow(const TreeRates& tree, const JointRow& row, double t, int home, std::span<const MovingPlacement> at) {
  const JointEquation& equation = row.equation();
  RawRow raw{row.number(),
             equation.form.kind,
             1.0,
             motionOf(at, row.joint().second).at.point(row.joint().geometry.second.point),
             {}};
  if (raw.kind == FormKind::squaredDistance) raw.length = 2.0 * std::sqrt(std::max(equation.offsetAt(t), 0.0));
  std::map<int, double> entries;
  row.visitGradient(t, motionsIn(at), [&](int body, const EndGradient& gradient) {
    const Placement& of = motionOf(at, body).at;
    tree.visitRatesOf(
        body,
        [&](int r) {
          const TreeRate& rate = tree.rate(r);
          entries[r] += gradient.onPosition.dot(rate.velocityAt(of.x)) + gradient.onRotation(of.D).dot(rate.rotation);
        },
        home);
  });
  raw.entries.assign(entries.begin(), entries.end());
  return raw;
}

}  // namespace

LoopConditions loopConditions(const Mechanism& mechanism, double t, std::span<const MovingPlacement> at) {
  const TreeRates tree(mechanism, at);
  const TreePaths paths(mechanism.topology());
  std::vector<RawRow> rows;
  for (const int j : mechanism.topology().cutJoints) {
    const MechanismJoint& joint = mechanism.joints()[static_cast<std::size_t>(j)];
    // what moves both bodies of a joint alike does not open it
    const int home = joint.coupling ? groundIndex : paths.meeting(joint.first, joint.second, [](int) {});
    for (int i = 0; i < joint.rows(); ++i) rows.push_back(rawRow(tree, JointRow(joint, i), t, home, at));
  }

  // the length that a move of the tree counts by: the longest way in the loops that it is part of
  std::vector<double> unit(static_cast<std::size_t>(tree.count()), 1.0);
  std::vector<double> reach(unit.size(), 0.0);
  const auto arm = [&](const RawRow& row, int r) { return (row.point - tree.rate(r).centre).norm(); };
  for (const RawRow& row : rows) {
    double longest = 0.0;
    for (const auto& [r, value] : row.entries) longest = std::max(longest, arm(row, r));
    for (const auto& [r, value] : row.entries)
      reach[static_cast<std::size_t>(r)] = std::max(reach[static_cast<std::size_t>(r)], longest);
  }
  for (std::size_t r = 0; r < unit.size(); ++r)
    if (!tree.rate(static_cast<int>(r)).turns() && reach[r] > 0.0) unit[r] = reach[r];

  LoopConditions result;
  std::vector<Eigen::Triplet<double>> entries;
  for (const RawRow& row : rows) {
    double square = 0.0;
    for (const auto& [r, value] : row.entries) {
      if (row.kind == FormKind::axes)
        square += tree.rate(r).turns() ? 1.0 : 0.0;
      else
        square += tree.rate(r).turns() ? (row.point - tree.rate(r).centre).squaredNorm()
                                       : unit[static_cast<std::size_t>(r)] * unit[static_cast<std::size_t>(r)];
    }
    const double longest = row.length * std::sqrt(square);
    for (const auto& [r, value] : row.entries)
      if (value != 0.0 && longest > 0.0)
        entries.emplace_back(r, static_cast<int>(result.rows.size()),
                             value * unit[static_cast<std::size_t>(r)] / longest);
    result.rows.push_back(row.row);
  }
  result.rates = tree.count();
  result.columns.resize(tree.count(), static_cast<Eigen::Index>(rows.size()));
  result.columns.setFromTriplets(entries.begin(), entries.end());
  return result;
}

double reachOf(const Mechanism& mechanism) {
  double reach = 0.0;
  for (const MechanismJoint& joint : mechanism.joints()) {
    if (joint.first != groundIndex) reach = std::max(reach, joint.geometry.first.point.norm());
    if (joint.second != groundIndex) reach = std::max(reach, joint.geometry.second.point.norm());
  }
  return reach > 0.0 ? reach : mechanismSize(mechanism);
}

}  // namespace polhode
