#include "polhode/system/redundancy.h"

#include "polhode/math/tree_system.h"

#include <cmath>

namespace polhode {

namespace {

constexpr double dependent = 1e-9;  // what is left of a row, relative to its size, when it follows from the others

/// How a body moves with its joint's free motions (N) and with its parent (Y).
struct TreeMotion {
  SixColumns N;
  Matrix6 Y = Matrix6::Zero();
  int firstFreedom = 0;
};

Vector6 rowOf(const EndGradient& end, const Placement& at) {
  Vector6 row;
  row << end.onPosition, end.onRotation(at.D);
  return row;
}

std::vector<TreeMotion> treeMotions(const Mechanism& mechanism, std::span<const MovingPlacement> bodies,
                                    int& freedoms) {
  std::vector<TreeMotion> motions(bodies.size());
  freedoms = 0;
  for (const int b : mechanism.topology().order) {
    const auto body = static_cast<std::size_t>(b);
    TreeMotion& motion = motions[body];
    const int j = mechanism.topology().parentJoint[body];
    SixRows G(0, 6), parentG(0, 6);
    if (j >= 0) {
      const MechanismJoint& joint = mechanism.joints()[static_cast<std::size_t>(j)];
      const Placement &first = motionOf(bodies, joint.first).at, &second = motionOf(bodies, joint.second).at;
      G.resize(joint.rows(), 6);
      parentG.resize(joint.rows(), 6);
      for (int row = 0; row < joint.rows(); ++row) {
        const FormGradient g = joint.equations[static_cast<std::size_t>(row)].form.gradient(first, second);
        const Vector6 one = rowOf(g.first, first), two = rowOf(g.second, second);
        G.row(row) = joint.second == b ? two : one;
        parentG.row(row) = joint.second == b ? one : two;
      }
    }
    SixColumns S;
    splitUnknowns(G, motion.N, S);
    if (G.rows() > 0) motion.Y = -S * parentG;
    motion.firstFreedom = freedoms;
    freedoms += static_cast<int>(motion.N.cols());
  }
  return motions;
}

}  // namespace

Mobility mobility(const Mechanism& mechanism, std::span<const MovingPlacement> bodies) {
  int freedoms = 0;
  const std::vector<TreeMotion> motions = treeMotions(mechanism, bodies, freedoms);
  Mobility result;
  result.degreesOfFreedom = freedoms;
  if (mechanism.topology().cutJoints.empty()) return result;

  // The rows of G_cut T, each relative to the size of its gradient.
  const double size = mechanismSize(mechanism);
  std::vector<RedundantRow> names;
  std::vector<VectorX> rows;
  for (const int j : mechanism.topology().cutJoints) {
    const MechanismJoint& joint = mechanism.joints()[static_cast<std::size_t>(j)];
    const Placement &first = motionOf(bodies, joint.first).at, &second = motionOf(bodies, joint.second).at;
    for (int k = 0; k < joint.rows(); ++k) {
      const FormGradient g = joint.equations[static_cast<std::size_t>(k)].form.gradient(first, second);
      VectorX row = VectorX::Zero(freedoms);
      double scale = 0.0;
      const auto climb = [&](int body, Vector6 end) {
        scale += end.head<3>().norm() * size + end.tail<3>().norm();
        for (; body >= 0; body = mechanism.topology().parent[static_cast<std::size_t>(body)]) {
          const TreeMotion& motion = motions[static_cast<std::size_t>(body)];
          row.segment(motion.firstFreedom, motion.N.cols()) += motion.N.transpose() * end;
          end = (motion.Y.transpose() * end).eval();
        }
      };
      climb(joint.first, rowOf(g.first, first));
      climb(joint.second, rowOf(g.second, second));
      rows.push_back(scale > 0.0 ? VectorX(row / scale) : row);
      names.push_back({j, k});
    }
  }

  // Gram & Schmidt, twice, in the order of the rows.
  std::vector<VectorX> basis;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    VectorX rest = rows[i];
    for (int pass = 0; pass < 2; ++pass)
      for (const VectorX& known : basis) rest -= known.dot(rest) * known;
    const double length = rest.norm();
    if (length > dependent)
      basis.push_back(rest / length);
    else
      result.redundant.push_back(names[i]);
  }
  result.degreesOfFreedom = freedoms - static_cast<int>(basis.size());
  return result;
}

}  // namespace polhode
