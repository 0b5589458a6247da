#include "system/mobility.h"

#include "system/redundancy.h"

#include <Eigen/LU>
#include <algorithm>
#include <cmath>

namespace polhode {

namespace {

constexpr std::size_t mostBodiesAtOnce = 500;  // in a dense decomposition; larger mechanisms are left to the solvers

}  // namespace

Mobility mobilityOf(const Mechanism& mechanism) {
  const Redundancy redundancy(mechanism);
  return {redundancy.treeRates(), redundancy.freedoms(), redundancy.rows(), redundancy.roundings(),
          redundancy.startsSingular()};
}

int unresistedBody(const Mechanism& mechanism) {
  const auto& bodies = mechanism.bodies();
  if (std::none_of(bodies.begin(), bodies.end(), [](const MechanismBody& body) { return body.mass == 0.0; })) return -1;
  if (bodies.size() > mostBodiesAtOnce) return -1;

  // rates that move no inertia and that the loops allow: the kernel of these rows
  const MechanismMotion start = initialMotion(mechanism);
  const TreeRates tree(mechanism, start);
  const LoopConditions loops = loopConditions(mechanism, 0.0, start);
  const auto count = static_cast<Eigen::Index>(bodies.size());
  MatrixX rows = MatrixX::Zero(6 * count + loops.columns.cols(), tree.count());
  for (Eigen::Index b = 0; b < count; ++b) {
    const MechanismBody& body = bodies[static_cast<std::size_t>(b)];
    const Matrix3 axes = body.placement.D.transpose();
    tree.visitRatesOf(static_cast<int>(b), [&](int r) {
      const TreeRate& rate = tree.rate(r);
      rows.block<3, 1>(6 * b, r) = std::sqrt(body.mass) * rate.velocityAt(body.placement.x);
      rows.block<3, 1>(6 * b + 3, r) = body.inertia.cwiseMax(0.0).cwiseSqrt().cwiseProduct(axes * rate.rotation);
    });
  }
  rows.bottomRows(loops.columns.cols()) = MatrixX(loops.columns).transpose();
  Eigen::FullPivLU<MatrixX> decomposition(rows);
  decomposition.setThreshold(1e-12);
  if (decomposition.dimensionOfKernel() == 0) return -1;
  const MatrixX kernel = decomposition.kernel();

  // such a rate is harmless unless it moves or turns a body without mass
  for (Eigen::Index b = 0; b < count; ++b) {
    if (bodies[static_cast<std::size_t>(b)].mass > 0.0) continue;
    MatrixX motion = MatrixX::Zero(6, kernel.cols());
    tree.visitRatesOf(static_cast<int>(b), [&](int r) {
      Eigen::Matrix<double, 6, 1> twist;
      twist << tree.rate(r).velocityAt(bodies[static_cast<std::size_t>(b)].placement.x), tree.rate(r).rotation;
      motion += twist * kernel.row(r);
    });
    if (motion.norm() > 1e-9 * kernel.norm()) return static_cast<int>(b);
  }
  return -1;
}

const MechanismJoint& jointOfRow(const Mechanism& mechanism, int row) {
  const auto& joints = mechanism.joints();
  const auto behind = std::upper_bound(joints.begin(), joints.end(), row,
                                       [](int number, const MechanismJoint& joint) { return number < joint.firstRow; });
  return *(behind - 1);
}

}  // namespace polhode
